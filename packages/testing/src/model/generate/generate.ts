/** Generates a run step by step: what comes next depends on the world of the model, so that commands mostly mean something. */
import type { Command } from "../commands.ts"
import { somePresenceWork } from "./feed.ts"
import { someNewOrganization, someOrganizationWork, somePlaceWork } from "./organizations.ts"
import { someHistoryWork } from "./history.ts"
import { repeatedEntrance, repeatedExit, someAccessesByToken, someEntrance, someExit, someWait } from "./stays.ts"
import { someMusterWork } from "./musters.ts"
import { someErasure, somePolicyWork } from "./policies.ts"
import { someDeletionWork, somePermissionWork } from "./accounts.ts"
import { someFavoriteWork, someLinkWork, someReading } from "./people.ts"
import { someRace } from "./races.ts"
import type { Scene } from "./subjects.ts"
import { someWebhookWork } from "./webhooks.ts"

/** How many steps of a run furnish its world before people come. */
const SETUP_COMMANDS = 24

const FEWEST_ORGANIZATIONS = 2
const MAX_ORGANIZATIONS = 4

/** The next step of a run. */
export const generate = (scene: Scene): Command => {
  const { random, world, history } = scene
  const count = world.organizations.length
  const isNew = history.length < SETUP_COMMANDS
  if (count < FEWEST_ORGANIZATIONS || (isNew && count < MAX_ORGANIZATIONS && random.chance(0.1))) {
    return someNewOrganization(scene)
  }
  const make = random.weighted<(scene: Scene) => Command>(
    isNew
      ? [
          [6, somePlaceWork],
          [6, somePermissionWork],
          [6, someLinkWork],
          [2, someEntrance]
        ]
      : [
          [24, (one) => someEntrance(one)],
          [24, someExit],
          [5, repeatedEntrance],
          [4, repeatedExit],
          [6, someAccessesByToken],
          [6, someWait],
          [14, someReading],
          [6, someLinkWork],
          [6, someFavoriteWork],
          [10, someOrganizationWork],
          [7, somePlaceWork],
          [10, somePermissionWork],
          [6, someDeletionWork],
          [6, somePolicyWork],
          [4, someErasure],
          [10, somePresenceWork],
          [8, someMusterWork],
          [7, someHistoryWork],
          [8, someWebhookWork],
          [12, someRace]
        ]
  )
  return make(scene)
}
