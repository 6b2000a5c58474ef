/** Answers commands on musters and lists of people inside by the use cases. */
import { type MusterId, type MusterReport, Musters, type OrgAuthServerId, PlacePremises } from "@sojourn/core"
import * as Effect from "effect/Effect"
import { premisesName } from "../World.ts"
import { each, type Serve, valueOf, type Translation } from "./translation.ts"

export const makeServeMusters = Effect.fnUntraced(function* (translation: Translation) {
  const { answer, administrator, premises, names, organizationId } = translation
  const musters = yield* Musters
  const musterId = (label: string) => names.id("muster", label) as MusterId
  const toValue = ({ id, organizationId, mode: _, people, ...rest }: MusterReport) => ({
    ...rest,
    muster: names.label("muster", id),
    organization: names.label("organization", organizationId),
    people: people?.map(({ orgAuthServerId: person, placeIds, ...row }) => ({
      ...row,
      person,
      places: placeIds.map((id) => names.label("place", id)).sort()
    }))
  })
  return {
    ListInside: ({ by, at }) =>
      musters.inside(administrator(by), premises(at)).pipe(
        each(({ orgAuthServerId: person, placeId, since }) => ({
          person,
          at: premisesName(placeId === undefined ? at : answer.premises(PlacePremises(placeId))),
          since
        }))
      ),
    StartMuster: ({ by, organization, muster, kind }) =>
      musters.start(administrator(by), { organizationId: organizationId(organization), kind }).pipe(
        Effect.tap(({ id }) => Effect.sync(() => names.bind("muster", muster, id))),
        valueOf(toValue)
      ),
    ListMusters: ({ by, organization }) =>
      musters.list(administrator(by), organizationId(organization)).pipe(each(toValue)),
    ReadMuster: ({ by, muster }) => musters.get(administrator(by), musterId(muster)).pipe(valueOf(toValue)),
    MarkSafe: ({ by, muster, marked }) =>
      musters
        .mark(
          administrator(by),
          musterId(muster),
          typeof marked === "number"
            ? { _tag: "MarkCount", count: marked }
            : { _tag: "MarkPeople", people: marked as unknown as readonly [OrgAuthServerId, ...Array<OrgAuthServerId>] }
        )
        .pipe(valueOf(toValue)),
    EndMuster: ({ by, muster }) => musters.end(administrator(by), musterId(muster)).pipe(valueOf(toValue))
  } satisfies Partial<Serve>
})
