/** The reference model of administrators: accounts, invitations and permissions. */
import type {
  Bind,
  ChangeLevel,
  Create,
  ListOwnPermissions,
  ListPermissions,
  Register,
  Unbind,
  Who
} from "../commands.ts"
import { done, listed, type Outcome, refused } from "../outcomes.ts"
import {
  findOrganization,
  holds,
  mark,
  type ModelNaming,
  type ModelOrganization,
  type ModelPermission,
  replace,
  type World
} from "../World.ts"
import { disableWebhooksOf } from "./webhooks.ts"

const sameMail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

export const accountOf = (world: World, administrator: string) =>
  world.accounts.find((account) => account.administrator === administrator)

export const holderOf = (world: World, mail: string) =>
  world.accounts.find((account) => account.mail !== undefined && sameMail(account.mail, mail))

const LEVELS: ReadonlyArray<string> = ["viewer", "manager", "owner"]

/** The permissions of an invitation become those of its taker, who keeps the higher level where there are two. */
const moved = (organization: ModelOrganization, invitation: string, taker: string): ModelOrganization => {
  const holderIs = (name: string) => (permission: ModelPermission) => permission.administrator === name
  const invited = organization.permissions.find(holderIs(invitation))
  if (invited === undefined) return organization
  const own = organization.permissions.find(holderIs(taker))
  if (own === undefined) {
    const permissions = organization.permissions.map((one) =>
      one === invited ? { ...one, administrator: taker } : one
    )
    return { ...organization, permissions }
  }
  const kept = LEVELS.indexOf(own.level) >= LEVELS.indexOf(invited.level) ? own : { ...invited, administrator: taker }
  const others = organization.permissions.filter((one) => one !== invited)
  return { ...organization, permissions: others.map((one) => (one === own ? kept : one)) }
}

/**
 * A caller who proves to be an administrator has an account from then on; a mail address that another proved stays theirs. An
 * unproved one is taken from its holder, and an invitation is taken over with it.
 */
export const signIn = (world: World, by: Who): void => {
  if (by.kind !== "administrator") return
  if (by.mail !== undefined) prove(world, by.id, by.mail)
  const known = accountOf(world, by.id)
  const holder = by.mail === undefined ? undefined : holderOf(world, by.mail)
  const hasProved = known?.mail !== undefined && known.isUnproved !== true
  if (by.mail !== undefined && !hasProved && holder?.isInvitation === true && holder !== known) {
    mark(world, "invitation taken over")
    const others = world.accounts.filter((account) => account !== holder && account !== known)
    world.accounts = [...others, { administrator: by.id, mail: by.mail }]
    world.organizations = world.organizations.map((one) => moved(one, holder.administrator, by.id))
    return
  }
  const isFree = holder === undefined || holder === known || holder.isUnproved === true
  if (by.mail !== undefined && !hasProved && isFree) {
    const others = world.accounts.filter((account) => account !== holder && account !== known)
    world.accounts = [...others, { administrator: by.id, mail: holder === known ? (known?.mail ?? by.mail) : by.mail }]
    if (holder !== undefined && holder !== known) {
      mark(world, "address that was not proved taken")
      world.accounts = [...world.accounts, { administrator: holder.administrator, mail: undefined }]
    }
  } else if (known === undefined) world.accounts = [...world.accounts, { administrator: by.id, mail: undefined }]
}

const prove = (world: World, administrator: string, mail: string): void => {
  const isKnown = world.proofs.some((one) => one.administrator === administrator && sameMail(one.mail, mail))
  if (!isKnown) world.proofs = [...world.proofs, { administrator, mail }]
}

/** Notes whom rights in an organization were given to, by the name that was used. */
export const name = (world: World, naming: ModelNaming): void => {
  world.namings = [...world.namings, naming]
}

/**
 * The permissions whose administrator was named by no id, and by no address that the same administrator proved or an operator wrote
 * down for them. There is never one, whatever was asked. Invitations are left out, as no caller can use their permissions.
 */
export const unjustified = (world: World): ReadonlyArray<ModelPermission & { readonly organization: string }> =>
  world.organizations.flatMap(({ label: organization, permissions }) => {
    const namings = world.namings.filter((one) => one.organization === organization)
    return permissions.flatMap((permission) => {
      const { administrator } = permission
      const isJustified =
        accountOf(world, administrator)?.isInvitation === true ||
        namings.some(
          (one) =>
            one.administrator === administrator ||
            (one.administrator === undefined &&
              world.proofs.some((proof) => proof.administrator === administrator && sameMail(proof.mail, one.mail!)))
        )
      return isJustified ? [] : [{ ...permission, organization }]
    })
  })

/** An operator's word counts as a proof, unless it contradicts one: then nothing is changed. */
export const vouch = (world: World, administrator: string, mail: string): boolean => {
  const known = accountOf(world, administrator)
  const holder = holderOf(world, mail)
  if (holder !== undefined && holder !== known && holder.isUnproved !== true) return false
  if (known?.mail !== undefined && known.isUnproved !== true && !sameMail(known.mail, mail)) return false
  signIn(world, { kind: "administrator", id: administrator, mail })
  return true
}

const answer = (world: World, organization: string, permission: ModelPermission) => ({
  ...permission,
  organization,
  mail: accountOf(world, permission.administrator)?.mail
})

export const register = (world: World, { administrator, mail }: Register): Outcome => {
  const holder = holderOf(world, mail)
  if (accountOf(world, administrator) !== undefined || (holder !== undefined && holder.isUnproved !== true)) {
    return refused("AdministratorExists")
  }
  signIn(world, { kind: "administrator", id: administrator, mail })
  return done({ administrator, mail })
}

const owned = (world: World, { by, organization: label }: Bind | Create | Unbind | ChangeLevel | ListPermissions) => {
  const organization = findOrganization(world, label)
  if (organization === undefined) return refused("OrganizationNotFound")
  return holds(organization, by, "owner") ? organization : refused("PermissionTooLow")
}

const grant = (world: World, organization: ModelOrganization, named: Bind | Create, administrator: string) => {
  const { by, level, person } = named
  const permission = { administrator, level, person, nominatedBy: by.kind === "administrator" ? by.id : "" }
  name(world, { organization: organization.label, administrator: named.administrator, mail: named.mail })
  replace(world, { ...organization, permissions: [...organization.permissions, permission] })
  return done(answer(world, organization.label, permission))
}

export const bind = (world: World, command: Bind): Outcome => {
  const organization = owned(world, command)
  if ("names" in organization) return organization
  const { administrator, mail } = command
  const byId = administrator === undefined ? undefined : accountOf(world, administrator)
  const byMail = mail === undefined ? undefined : holderOf(world, mail)
  if ((administrator !== undefined && byId === undefined) || (mail !== undefined && byMail === undefined)) {
    mark(world, "binding of nobody refused")
    return refused("AdministratorNotFound")
  }
  const account = byId ?? byMail
  if (account === undefined) return refused("AdministratorNotFound")
  if (byMail !== undefined && byMail.administrator !== account.administrator) {
    mark(world, "id and mail of two administrators refused")
    return refused("AdministratorsDiffer")
  }
  if (administrator === undefined && account.isUnproved === true && account.isInvitation !== true) {
    mark(world, "binding by an address that nobody proved refused")
    return refused("AdministratorNotFound")
  }
  if (organization.permissions.some((permission) => permission.administrator === account.administrator)) {
    mark(world, "second binding refused")
    return refused("AlreadyBound")
  }
  return grant(world, organization, command, account.administrator)
}

/** What an administrator is called here whose id the service made. */
export const madeFor = (mail: string): string => `made for ${mail.toLowerCase()}`

export const create = (world: World, command: Create): Outcome => {
  const organization = owned(world, command)
  if ("names" in organization) return organization
  const { administrator = madeFor(command.mail), mail } = command
  if (accountOf(world, administrator) !== undefined || holderOf(world, mail) !== undefined) {
    mark(world, "second account refused")
    return refused("AdministratorExists")
  }
  const isInvitation = command.administrator === undefined
  world.accounts = [...world.accounts, { administrator, mail, isInvitation, isUnproved: true }]
  return grant(world, organization, command, administrator)
}

/** An organization always keeps at least one owner (spec: accounts#last-owner). */
export const isLastOwner = ({ permissions }: ModelOrganization, administrator: string): boolean => {
  const owners = permissions.filter((permission) => permission.level === "owner")
  return owners.length === 1 && owners[0]?.administrator === administrator
}

export const unbind = (world: World, command: Unbind): Outcome => {
  const organization = owned(world, command)
  if ("names" in organization) return organization
  const { administrator } = command
  const rest = organization.permissions.filter((permission) => permission.administrator !== administrator)
  if (rest.length === organization.permissions.length) return refused("PermissionNotFound")
  if (isLastOwner(organization, administrator)) {
    mark(world, "unbinding of the last owner refused")
    return refused("LastOwnerStays")
  }
  replace(world, { ...organization, permissions: rest })
  const record = organization.permissions.find((permission) => permission.administrator === administrator)
  if (record?.level === "owner") disableWebhooksOf(world, organization.label, administrator)
  return done()
}

export const changeLevel = (world: World, command: ChangeLevel): Outcome => {
  const organization = owned(world, command)
  if ("names" in organization) return organization
  const { administrator, level } = command
  const record = organization.permissions.find((permission) => permission.administrator === administrator)
  if (record === undefined) return refused("PermissionNotFound")
  const { mail, person, nominatedBy } = answer(world, organization.label, record)
  const differs =
    (command.mail !== undefined && (mail === undefined || !sameMail(command.mail, mail))) ||
    (command.person !== undefined && command.person !== person) ||
    (command.nominatedBy !== undefined && command.nominatedBy !== nominatedBy)
  const isLast = level !== "owner" && isLastOwner(organization, administrator)
  if (differs) mark(world, "change of more than the level refused")
  if (isLast) mark(world, "demotion of the last owner refused")
  if (differs || isLast) return refused(...(differs ? ["OnlyLevelChanges"] : []), ...(isLast ? ["LastOwnerStays"] : []))
  const changed = { ...record, level }
  replace(world, {
    ...organization,
    permissions: organization.permissions.map((one) => (one === record ? changed : one))
  })
  if (record.level === "owner" && level !== "owner") disableWebhooksOf(world, organization.label, administrator)
  return done(answer(world, organization.label, changed))
}

export const listPermissions = (world: World, command: ListPermissions): Outcome => {
  const organization = owned(world, command)
  if ("names" in organization) return organization
  return listed(organization.permissions.map((permission) => answer(world, organization.label, permission)))
}

export const listOwnPermissions = (world: World, { by, administrator }: ListOwnPermissions): Outcome => {
  if (by.kind !== "administrator" || by.id !== administrator) return refused("PermissionsOfAnother")
  return listed(
    world.organizations.flatMap(({ label, permissions }) =>
      permissions.filter((one) => one.administrator === administrator).map((one) => answer(world, label, one))
    )
  )
}
