/** What the demo prints: the link to its page, and shell commands that show the interface. */
import { DEMO_PASSWORD } from "./people.ts"
import type { Demo } from "./load.ts"

/** The page for administrators, signed in as the owner of the demo's organizations, with the campus open if it is there. */
export const pageLink = (baseUrl: string, { organizations: { campus }, tokens }: Demo): string =>
  `${baseUrl}/#token=${tokens.owner}${campus === undefined ? "" : `&organization=${campus.id}`}`

/** Commands to try on the demo, ready to paste into a shell. */
export const tryOut = (baseUrl: string, demo: Demo): string => {
  const { organizations, tokens } = demo
  const museum = organizations.museum?.id
  const works = organizations.works?.id
  if (museum === undefined || works === undefined) {
    return `
# The demo was loaded before, and not all of it is there any more.
# Read and try everything: ${baseUrl}/docs
`
  }
  const track = `curl -sS -X POST ${baseUrl}/movement/track/organization -H "Authorization: Bearer $USER_TOKEN" -H 'Content-Type: application/json'`
  const inside = (id: unknown) =>
    `curl -sS ${baseUrl}/presence/organization/${id}/counter -H "Authorization: Bearer $VIEWER_TOKEN"; echo`
  const park = organizations.campus?.places.at(-1)
  const onCampus =
    park === undefined
      ? ""
      : `
# One more person is in the place "${park.name}" of the campus: look at the page
curl -sS -X POST ${baseUrl}/movement/track/place -H "Authorization: Bearer $USER_TOKEN" -H 'Content-Type: application/json' -d '{"movementType":1,"placeId":${park.id}}'; echo
`
  return `
# Try it: paste these into a shell.
# The page for administrators, signed in as the owner:
#   ${pageLink(baseUrl, demo)}

# Who calls: an app user, a viewer and the owner of the demo's organizations
USER_TOKEN='${tokens.user}'
VIEWER_TOKEN='${tokens.viewer}'
OWNER_TOKEN='${tokens.owner}'
${onCampus}
# The user enters the museum (organization ${museum}), which gives a token for the exit
EXIT_TOKEN=$(${track} -d '{"movementType":1,"organizationId":${museum}}' | sed 's/.*"exitToken":"\\([^"]*\\)".*/\\1/'); echo "exit token: $EXIT_TOKEN"

# One more person is inside
${inside(museum)}

# The user leaves, with the token
${track} -d "{\\"movementType\\":-1,\\"organizationId\\":${museum},\\"exitToken\\":\\"$EXIT_TOKEN\\"}" -w '\\nstatus %{http_code}\\n'

# One person fewer is inside, and the stay is listed for the holder of its token
${inside(museum)}
curl -sS ${baseUrl}/access/organization/${museum}/anonymous/$EXIT_TOKEN -H "Authorization: Bearer $USER_TOKEN"; echo

# The viewer may look, but not change the area: 403. The header Accept asks for the reason
curl -sS -X PATCH ${baseUrl}/organization/${museum}/trackingArea -H "Authorization: Bearer $VIEWER_TOKEN" -H 'Accept: application/problem+json' --data-urlencode 'trackingArea={"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.5],[11.8,45.5],[11.8,45.3]]]}' -w '\\nstatus %{http_code}\\n'

# The works (organization ${works}) knows its people: link an account first, then enter as often as you like, and count once
# (its directory is there where the server was started with --demo or --demo-directory)
curl -sS -X POST ${baseUrl}/authenticationserver/link -H "Authorization: Bearer $USER_TOKEN" -H 'Content-Type: application/json' -d '{"organizationId":${works},"username":"ada","password":"${DEMO_PASSWORD}"}'; echo
${track} -d '{"movementType":"entrance","organizationId":${works}}'; echo
${track} -d '{"movementType":"entrance","organizationId":${works}}'; echo
${inside(works)}

# Read and try everything: ${baseUrl}/docs
`
}
