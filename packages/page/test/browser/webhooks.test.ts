/** The panel of webhooks in Chromium, with a server that delivers to a real receiver. */
import { parseReceiverEntry } from "@sojourn/core"
import * as Result from "effect/Result"
import { afterAll, assert, describe, it } from "vitest"
import { certificates, startReceiver, verified } from "../../../server/test/webhooks/Receiver.ts"
import { addressOf, answer, faultsOf, missing, pageForThisFile, PATIENCE, until } from "./visiting.ts"

const receiver = await startReceiver()
afterAll(receiver.stop)
const { sojourn, owner, post, put, want, bind, visit, visitAsOwner, withPlaces } = await pageForThisFile({
  webhooks: {
    policy: { allow: [Result.getOrThrow(parseReceiverEntry(receiver.origin))] },
    certificates: [certificates.authority.pem]
  }
})

describe.skipIf(missing !== undefined)("the panel of webhooks", { timeout: PATIENCE }, () => {
  it("tests a webhook, lists its attempts, gives it a new secret and delivers events again", async () => {
    const { id } = await withPlaces()
    const path = "/hooks/managed"
    const url = `${receiver.origin}${path}`
    const created = want(await post(owner, `/webhook/organization/${id}`, { url }), 201).json
    const received = () => receiver.received(path)
    await visitAsOwner({ fragment: addressOf(id), expected: /^400|status of 400/ }, async (page) => {
      await page.getByRole("heading", { name: "Webhooks", exact: true }).click()
      await page.getByText(`Belongs to ${owner.id}.`).waitFor()
      await page.getByText(`Deliveries and secret: ${url}`).click()
      await page.getByText("There is nothing to show.").waitFor()

      await page.getByRole("button", { name: `Test: ${url}` }).click()
      await page.getByText("The test is sent within some seconds.").waitFor()
      await until(() => received().map(({ json }) => json.type)).toEqual(["webhook.test"])
      const attempts = page.getByRole("table", { name: `Last attempts: ${url}` })
      await attempts.getByText("204").waitFor()
      await attempts.getByText("test", { exact: true }).waitFor()

      await page.getByRole("button", { name: `New secret: ${url}` }).click()
      await answer(page, "New secret")
      const secret = await page
        .getByRole("group", { name: `Secret of ${url}` })
        .getByText(/^whsec_/)
        .innerText()
      assert.notStrictEqual(secret, created.secret)
      want(await put(owner, "/organization", { id, description: "told" }), 200)
      await until(() => received().length).toBe(2)
      for (const known of [secret, created.secret]) verified(known, received()[1]!)

      const { version } = received()[1]!.json.data
      await page.getByLabel("Deliver again from version").fill(String(version))
      await page.getByRole("button", { name: `Deliver again: ${url}` }).click()
      await page.getByText(`Events are delivered again from version ${version}.`).waitFor()
      await until(() =>
        received()
          .map(({ json }) => json.data.version)
          .slice(1)
      ).toEqual([version, version])
      // Attempts and states are read again by themselves.
      await until(() => attempts.locator("tbody tr").count()).toBe(3)
      await page.getByLabel("Deliver again from version").fill("1000000")
      await page.getByRole("button", { name: `Deliver again: ${url}` }).click()
      await page.getByText("The server refused (400).").waitFor()
      assert.deepStrictEqual(await faultsOf(page), [])
    })
  })

  it("says why a webhook is disabled, and that the owner who lets it go on has it then", async () => {
    const { id } = await withPlaces()
    const former = sojourn.administrator("former-owner")
    await bind(id, former, "owner")
    const url = `${receiver.origin}/hooks/orphaned`
    want(await post(former, `/webhook/organization/${id}`, { url }), 201)
    const visiting = {
      fragment: `#token=${await owner.token}&organization=${id}`,
      viewport: { width: 320, height: 600 }
    }
    await visit(visiting, async (page) => {
      await page.getByRole("heading", { name: "Webhooks", exact: true }).click()
      await page.getByText(`Belongs to ${former.id}.`).waitFor()
      await page.getByText("active", { exact: true }).waitFor()
      want(
        await post(owner, "/administrator/unbindadministrator", { administratorId: former.id, organizationId: id }),
        204
      )
      // Its state is shown without anything being pressed.
      await page.getByText(/^Disabled .*owner/).waitFor()
      await page.getByText("It belongs to the owner who lets it go on.").waitFor()
      await page.getByRole("button", { name: `Go on: ${url}` }).click()
      await page.getByText(`Belongs to ${owner.id}.`).waitFor()
      await page.getByText("active", { exact: true }).waitFor()
    })
  })
})
