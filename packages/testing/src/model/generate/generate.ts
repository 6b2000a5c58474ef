/** Generates a run step by step: what comes next depends on the world of the model, so that commands mostly mean something. */
import type { Command } from "../commands.ts"
import { somePresenceCommand } from "./feed.ts"
import { someNewOrganization, someOrganizationCommand, somePlaceCommand } from "./organizations.ts"
import { someHistoryCommand } from "./history.ts"
import { repeatedEntrance, repeatedExit, someAccessesByToken, someEntrance, someExit, someWait } from "./stays.ts"
import { someMusterCommand } from "./musters.ts"
import { someErasure, somePolicyCommand } from "./policies.ts"
import { someDeletionCommand, somePermissionCommand } from "./accounts.ts"
import { someFavoriteCommand, someLinkCommand, someReading } from "./people.ts"
import { someRace } from "./races.ts"
import type { Scene } from "./subjects.ts"
import { someWebhookCommand } from "./webhooks.ts"

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
          [6, somePlaceCommand],
          [6, somePermissionCommand],
          [6, someLinkCommand],
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
          [6, someLinkCommand],
          [6, someFavoriteCommand],
          [10, someOrganizationCommand],
          [7, somePlaceCommand],
          [10, somePermissionCommand],
          [6, someDeletionCommand],
          [6, somePolicyCommand],
          [4, someErasure],
          [10, somePresenceCommand],
          [8, someMusterCommand],
          [7, someHistoryCommand],
          [8, someWebhookCommand],
          [12, someRace]
        ]
  )
  return make(scene)
}
