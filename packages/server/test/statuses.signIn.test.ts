/** Sign-in of administrators by password: POST /authentication/token (spec: accounts#sign-in), an extension. */
import { describe, expect, it } from "vitest"
import { makeFixtures, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const { call, organization, owner, post } = makeFixtures(sojourn)
const PASSWORD = "correct horse battery staple"

const { id: organizationId } = await organization()
let count = 0
/** A new mail address, without an account. */
const someMail = () => `guest-${++count}@example.test`

const create = (fields: object) =>
  post(owner, "/administrator/createadministrator", { organizationId, permission: "manager", ...fields })

const signIn = (form: Readonly<Record<string, string>>) =>
  call(undefined, "POST", "/authentication/token", { form: { grant_type: "password", ...form } })

const levels = async (bearer: string, id: string) =>
  sojourn.call(`Bearer ${bearer}`, "GET", `/administrator/permission/${encodeURIComponent(id)}`)

describe("an administrator with a password", () => {
  it("gets a token by mail address in any letter case and by id, and is authenticated by it", async () => {
    const mail = someMail()
    const made = want(await create({ mail, password: PASSWORD }), 201).json
    for (const username of [mail, mail.toUpperCase(), made.administratorId]) {
      const token = want(await signIn({ username, password: PASSWORD }), 200).json
      expect(token).toEqual({ access_token: expect.any(String), token_type: "Bearer", expires_in: 3600 })
      const own = want(await levels(token.access_token, made.administratorId), 200).json
      expect(own).toMatchObject([{ organizationId, permission: 2, mail }])
    }
  })

  it("gets a token without an email, as a password proves no mail address", async () => {
    const mail = someMail()
    const { administratorId } = want(await create({ mail, password: PASSWORD }), 201).json
    const { access_token } = want(await signIn({ username: mail, password: PASSWORD }), 200).json
    const claims = JSON.parse(Buffer.from(access_token.split(".")[1], "base64url").toString("utf8"))
    expect(claims).toMatchObject({ sub: administratorId, sojourn_kind: "administrator" })
    expect(claims).not.toHaveProperty("email")
  })

  it("gets the same refusal for a wrong password as an unknown account or one without a password", async () => {
    const mail = someMail()
    want(await create({ mail, password: PASSWORD }), 201)
    const invited = someMail()
    want(await create({ mail: invited }), 201)
    for (const form of [
      { username: mail, password: `${PASSWORD}!` },
      { username: mail, password: "" },
      { username: invited, password: PASSWORD },
      { username: owner.mail, password: PASSWORD },
      { username: "nobody@example.test", password: PASSWORD },
      { username: "", password: PASSWORD },
      { username: "x".repeat(300), password: PASSWORD }
    ]) {
      const answer = await call(undefined, "POST", "/authentication/token", {
        form: { grant_type: "password", ...form },
        headers: { accept: "application/problem+json" }
      })
      expect([form.username, answer.status, answer.json.detail]).toEqual([
        form.username,
        400,
        "The username or the password is wrong."
      ])
    }
  })

  it("a password of 7 or 257 characters: 400, and no account is created", async () => {
    for (const password of ["1234567", "x".repeat(257)]) want(await create({ mail: someMail(), password }), 400)
  })

  it("a form that is no password grant is refused", async () => {
    want(await call(undefined, "POST", "/authentication/token", { form: { username: "a", password: "b" } }), 400)
    want(await signIn({ grant_type: "client_credentials", username: "a", password: "b" }), 400)
    want(await signIn({ username: "a" }), 400)
    want(await call(undefined, "POST", "/authentication/token", { json: { grant_type: "password" } }), 415)
  })

  it("is refused with 429 after several failures, in any spelling of the name; other accounts can sign in", async () => {
    const [mail, other] = [someMail(), someMail()]
    for (const each of [mail, other]) want(await create({ mail: each, password: PASSWORD }), 201)
    const statuses: Array<number> = []
    for (let n = 0; n < 12; n++) {
      const answer = await signIn({ username: n % 2 === 0 ? mail : mail.toUpperCase(), password: "a wrong one" })
      statuses.push(answer.status)
      if (answer.status === 429) expect(answer.headers["retry-after"]).toMatch(/^\d+$/)
    }
    // The first five attempts are free; later ones may be admitted as time passes.
    expect(statuses.slice(0, 5)).toEqual([400, 400, 400, 400, 400])
    expect(new Set(statuses.slice(5)).has(429)).toBe(true)
    want(await signIn({ username: other, password: PASSWORD }), 200)
  })
})

describe("a mail address that an owner entered for another administrator", () => {
  it("can be assigned to another account by an operator", async () => {
    for (const [n, fields] of [{}, { administratorId: "squatter" }, { password: PASSWORD }].entries()) {
      const mail = someMail()
      want(await create({ mail, ...fields }), 201)
      const administratorId = `named-${n}`
      const { id } = await organization({ owner: { administratorId, mail } })
      const named = sojourn.administrator(administratorId, "")
      const listed = want(await sojourn.call(named, "GET", `/administrator/organization/${id}`), 200).json
      expect(listed).toEqual([
        { administratorId, organizationId: id, permission: 3, mail, nominatedBy: administratorId }
      ])
    }
  })
})
