import * as Layer from "effect/Layer"
import { AccountLinks } from "./AccountLinks.ts"
import { Accesses } from "./Accesses.ts"
import { Administrators } from "./Administrators.ts"
import { Capacities } from "./Capacities.ts"
import { DeletionRequests } from "./DeletionRequests.ts"
import { Favorites } from "./Favorites.ts"
import { layerTelling } from "./FeedTelling.ts"
import { Histories } from "./Histories.ts"
import { Movements } from "./Movements.ts"
import { Musters } from "./Musters.ts"
import { Organizations } from "./Organizations.ts"
import { PersonalData } from "./PersonalData.ts"
import { Places } from "./Places.ts"
import { Presence } from "./Presence.ts"
import { PresenceSubscriptions } from "./PresenceSubscriptions.ts"
import { Reports } from "./Reports.ts"
import { SignIns } from "./SignIns.ts"
import { StayPolicies } from "./StayPolicies.ts"
import { Sweeps } from "./Sweeps.ts"
import { Webhooks } from "./Webhooks.ts"

/** Every use case, and the loop that tells events of presence. They need the stores, an `OrganizationDirectory` and `ExitTokens`. */
export const layerServices = Layer.mergeAll(
  AccountLinks.layer,
  Accesses.layer,
  Administrators.layer,
  Capacities.layer,
  DeletionRequests.layer,
  Favorites.layer,
  Histories.layer,
  Movements.layer,
  Musters.layer,
  Organizations.layer,
  PersonalData.layer,
  Places.layer,
  Presence.layer,
  PresenceSubscriptions.layer,
  Reports.layer,
  SignIns.layer,
  StayPolicies.layer,
  Sweeps.layer,
  Webhooks.layer,
  layerTelling
)
