export const ENDPOINTS = {
  organization: {
    /** Read an organization. For users, for administrators who are bound to it, and for displays of it. */
    get: ["GET","/organization/{organizationId}","400 401 403 404 413 415 429 503",""],
    /** List all organizations. For users. 204 when there is none. */
    list: ["GET","/organization","400 401 403 413 415 429 503","list"],
    /** Change an organization. For its owners. Fields that are present change, `null` clears an optional one. The area must hold all places and be no larger than the operator allows; the name must be free; `authenticated` needs an `authenticationServerURL`. */
    edit: ["PUT","/organization","400 401 403 404 413 415 429 503",""],
    /** Ask for the deletion of an organization. For its owners. An operator decides. While a request is pending, another one changes nothing. */
    requestDeletion: ["POST","/organization/requestdeletion","400 401 403 404 413 415 429 503",""],
    /** Read the pending deletion request of an organization (extension). For its owners. 204 when there is none, or when it is decided. */
    getDeletionRequest: ["GET","/organization/{organizationId}/deletionrequest","400 401 403 404 413 415 429 503",""],
    /** Change an organization's tracking area. For managers and owners. The area must hold all places and be no larger than the operator allows. */
    editTrackingArea: ["PATCH","/organization/{organizationId}/trackingArea","400 401 403 404 413 415 429 503","form"]
  },
  administrator: {
    /** Bind an administrator to an organization. For its owners. The administrator has an account, and is named by id, by mail address, or by both; one with a password by id, as the address was not proved. The level is at most your own. */
    bind: ["POST","/administrator/bindadministrator","400 401 403 404 413 415 429 503",""],
    /** Create an administrator and bind it. For its owners. A new account with a password signs in with the own issuer, under an id that the service makes: beside an administratorId the password is discarded. One with a mail address alone is an invitation. */
    create: ["POST","/administrator/createadministrator","400 401 403 404 413 415 429 503",""],
    /** List an organization's administrators. For its owners. */
    list: ["GET","/administrator/organization/{organizationId}","400 401 403 404 413 415 429 503","list"],
    /** List the caller's own permissions. For that administrator alone. 204 when there are none. */
    permissions: ["GET","/administrator/permission/{administratorId}","400 401 403 413 415 429 503","list"],
    /** Unbind an administrator. For owners of the organization. The last owner stays. */
    unbind: ["POST","/administrator/unbindadministrator","400 401 403 404 413 415 429 503",""],
    /** Change the level of a permission. For owners of the organization. What else is sent must be as it is recorded. The last owner stays an owner. */
    changeLevel: ["PATCH","/administrator/updatepermission","400 401 403 404 413 415 429 503",""]
  },
  access: {
    /** List an organization's accesses by exit tokens. For users: reads the stays whose exit tokens the caller sends. Tokens that name no completed stay here are left out. By entrance, then by id. */
    organizationAnonymous: ["GET","/access/organization/{organizationId}/anonymous/{exitTokens}","400 401 403 413 415 429 503","list"],
    /** List a place's accesses by exit tokens. For users: reads the stays whose exit tokens the caller sends. Tokens that name no completed stay here are left out. By entrance, then by id. */
    placeAnonymous: ["GET","/access/place/{placeId}/anonymous/{exitTokens}","400 401 403 413 415 429 503","list"],
    /** List an organization's accesses by people. For users, of the person whom they are linked to; for administrators who are bound, of any person. By entrance, then by id. */
    organizationAuthenticated: ["GET","/access/organization/{organizationId}/authenticated/{orgAuthServerIds}","400 401 403 413 415 429 503","list"],
    /** List a place's accesses by people. For users, of the person whom they are linked to; for administrators who are bound, of any person. By entrance, then by id. */
    placeAuthenticated: ["GET","/access/place/{placeId}/authenticated/{orgAuthServerIds}","400 401 403 413 415 429 503","list"]
  },
  place: {
    /** Create a place. For managers and owners. The area lies inside the organization's and the parent's, and shares no more than a border with other places of its level that are neither parts of it nor it of them. */
    create: ["POST","/place","400 401 403 413 415 429 503",""],
    /** Change a place. For managers and owners. Fields that are present change; a `null` name gives back the name by id, and a `null` level or parent clears it. A place never moves to another organization. */
    edit: ["PUT","/place","400 401 403 404 413 415 429 503",""],
    /** Remove a place. For managers and owners. The stays of those inside end with it. 409 while other places are parts of it. */
    remove: ["DELETE","/place/{placeId}","400 401 403 404 409 413 415 429 503",""],
    /** List an organization's places. For users, for administrators who are bound, and for displays of the organization. With `level`, the places on that floor alone. 204 when there is none. */
    list: ["GET","/place/organization/{organizationId}","400 401 403 413 415 429 503","list"]
  },
  favorite: {
    /** Add a favorite. For users. In an authenticated organization the user is linked. */
    add: ["POST","/favorite/addfavorite","400 401 403 404 413 415 429 503",""],
    /** List favorite organizations. For that user alone. 204 when there is none. */
    list: ["GET","/favorite/{userId}","400 401 403 413 415 429 503","list"],
    /** Remove a favorite. For users. */
    remove: ["POST","/favorite/removefavorite","400 401 403 404 413 415 429 503",""]
  },
  movement: {
    /** Enter or leave an organization. For users. An entrance answers 201 with the token that its exit needs; an exit answers 202. The same exit sent again is accepted again. */
    trackOrganization: ["POST","/movement/track/organization","400 401 403 413 415 429 503",""],
    /** Enter or leave a place. For users. An entrance answers 201 with the token that its exit needs; an exit answers 202. The same exit sent again is accepted again. */
    trackPlace: ["POST","/movement/track/place","400 401 403 413 415 429 503",""]
  },
  presence: {
    /** Count the people inside an organization. For administrators of any level, and for displays: the number of open stays now; in an anonymous organization with a publishing interval as of the last event. */
    organizationCounter: ["GET","/presence/organization/{organizationId}/counter","400 401 403 404 413 415 429 503",""],
    /** Count the people inside a place. For administrators of any level, and for displays: the number of open stays now; in an anonymous organization with a publishing interval as of the last event. */
    placeCounter: ["GET","/presence/place/{placeId}/counter","400 401 403 404 413 415 429 503",""]
  },
  stream: {
    /** Follow how many people are inside. For administrators of any level in each of the organizations, 20 at most, and for displays of the organization: server-sent events. A `snapshot` comes first, then each event of the organizations' feeds, without a gap. `Last-Event-ID` or `lastEventId` goes on after the message with this id. */
    presence: ["GET","/presence/stream","400 401 403 404 413 415 429 503","","text/event-stream"]
  },
  capacity: {
    /** Set the capacity of an organization. For managers. `null` lifts the capacity; `warnAt` is the part of it from which a warning is given, 0.8 when left out. No entrance is refused for it. */
    setOrganizationCapacity: ["PUT","/capacity/organization/{organizationId}","400 401 403 404 413 415 429 503",""],
    /** Read the capacity of an organization, and how full it is. For administrators of any level, and for displays: the capacity, the number of people inside now (with a publishing interval: as of the last event), and the level: `none` without a capacity, else `normal`, `warning`, `full` or `over`. */
    organizationCapacity: ["GET","/capacity/organization/{organizationId}","400 401 403 404 413 415 429 503",""],
    /** Set the capacity of a place. For managers. `null` lifts the capacity; `warnAt` is the part of it from which a warning is given, 0.8 when left out. No entrance is refused for it. */
    setPlaceCapacity: ["PUT","/capacity/place/{placeId}","400 401 403 404 413 415 429 503",""],
    /** Read the capacity of a place, and how full it is. For administrators of any level, and for displays: the capacity, the number of people inside now (with a publishing interval: as of the last event), and the level: `none` without a capacity, else `normal`, `warning`, `full` or `over`. */
    placeCapacity: ["GET","/capacity/place/{placeId}","400 401 403 404 413 415 429 503",""]
  },
  authenticationserver: {
    /** Ask an organization's authentication server for names. For administrators of any level, with credentials of their own on that server. `["*"]` asks for everyone whom these may see, 1,000 at most. */
    userInformation: ["POST","/authenticationserver/userinformation","400 401 403 404 413 415 429 502 503 504","list"]
  },
  report: {
    /** Report the total time per person inside a place. For administrators of any level: whole seconds over closed stays of people. With `from` and `to` of those inside this window, 366 days at most, at whose ends stays are cut; people without any are left out. 204 when there is none. */
    timePerUser: ["GET","/report/place/{placeId}","400 401 403 404 413 415 429 503","list"]
  },
  window: {
    /** List the accesses of an organization and its places in a window of time. For administrators of any level, in authenticated organizations; 400 in others. Those whose entrance is from `from` on and before `to`, 366 days at most, of the people `orgAuthServerId` where it is sent. By entrance, then by id. `next` is there while there are more, and the next part is asked for with it as `after`. 204 when there is none. With `Accept: text/csv` all of them as a file (RFC 4180, UTF-8 with a byte order mark), with local times in the time zone of the policy; a text that a spreadsheet would take for a formula is preceded by `'`. `placeId` names the place; with `premises=own` the organization's own alone. */
    organizationAccesses: ["GET","/record/organization/{organizationId}/access","400 401 403 404 413 415 429 503",""],
    /** List the accesses of an organization and its places in a window of time. For administrators of any level, in authenticated organizations; 400 in others. Those whose entrance is from `from` on and before `to`, 366 days at most, of the people `orgAuthServerId` where it is sent. By entrance, then by id. `next` is there while there are more, and the next part is asked for with it as `after`. 204 when there is none. With `Accept: text/csv` all of them as a file (RFC 4180, UTF-8 with a byte order mark), with local times in the time zone of the policy; a text that a spreadsheet would take for a formula is preceded by `'`. `placeId` names the place; with `premises=own` the organization's own alone. */
    organizationAccessesCsv: ["GET","/record/organization/{organizationId}/access","400 401 403 404 413 415 429 503","","text/csv"],
    /** List the accesses of a place in a window of time. For administrators of any level, in authenticated organizations; 400 in others. Those whose entrance is from `from` on and before `to`, 366 days at most, of the people `orgAuthServerId` where it is sent. By entrance, then by id. `next` is there while there are more, and the next part is asked for with it as `after`. 204 when there is none. With `Accept: text/csv` all of them as a file (RFC 4180, UTF-8 with a byte order mark), with local times in the time zone of the policy; a text that a spreadsheet would take for a formula is preceded by `'`. */
    placeAccesses: ["GET","/record/place/{placeId}/access","400 401 403 404 413 415 429 503",""],
    /** List the accesses of a place in a window of time. For administrators of any level, in authenticated organizations; 400 in others. Those whose entrance is from `from` on and before `to`, 366 days at most, of the people `orgAuthServerId` where it is sent. By entrance, then by id. `next` is there while there are more, and the next part is asked for with it as `after`. 204 when there is none. With `Accept: text/csv` all of them as a file (RFC 4180, UTF-8 with a byte order mark), with local times in the time zone of the policy; a text that a spreadsheet would take for a formula is preceded by `'`. */
    placeAccessesCsv: ["GET","/record/place/{placeId}/access","400 401 403 404 413 415 429 503","","text/csv"],
    /** Report the time per person inside an organization in a window of time. For administrators of any level: whole seconds inside the window, over the organization's own closed stays of people, which are cut at its ends. People without any are left out. 204 when there is none. */
    organizationReport: ["GET","/record/organization/{organizationId}/report","400 401 403 404 413 415 429 503","list"]
  },
  ending: {
    /** End stays of people in an organization. For managers, in authenticated organizations; 400 in others. The open stays of these people end as accesses at `exitTimestamp`, now when left out; a stay that began later stays open. Their exit tokens are unknown from then on. With `places` those in its places end as well. */
    endOrganization: ["POST","/record/organization/{organizationId}/end","400 401 403 404 413 415 429 503",""],
    /** End stays of people in a place. For managers, in authenticated organizations; 400 in others. The open stays of these people end as accesses at `exitTimestamp`, now when left out; a stay that began later stays open. Their exit tokens are unknown from then on. */
    endPlace: ["POST","/record/place/{placeId}/end","400 401 403 404 413 415 429 503",""],
    /** Clear an organization. For managers. All stays that are open when it begins are abandoned: they are no accesses, and their exit tokens are unknown from then on. The people whom devices count become 0. It answers when all is done, `ended` and `counted` as published where the organization has a publishing interval. One that fails may be sent again. With `places` its places are cleared as well. */
    clearOrganization: ["POST","/record/organization/{organizationId}/clear","400 401 403 404 413 415 429 503",""],
    /** Clear a place. For managers. All stays that are open when it begins are abandoned: they are no accesses, and their exit tokens are unknown from then on. The people whom devices count become 0. It answers when all is done, `ended` and `counted` as published where the organization has a publishing interval. One that fails may be sent again. A body, such as `{}`, means nothing. */
    clearPlace: ["POST","/record/place/{placeId}/clear","400 401 403 404 413 415 429 503",""]
  },
  history: {
    /** Read the history of an organization's presence. For administrators of any level, and for displays: a row for each minute, hour or day since the feed began, for at most 1,500 steps. Days, and hours where it is not whole hours from UTC, are those of `timeZone`: the name of a time zone, or `organization` for that of the policy; left out, UTC. `from` is rounded down and `to` up. `entered`, `left`, `least`, `most` and the time-weighted `average` of people inside go by when the service recorded a movement. `averageStay`, in seconds, is of the stays whose exit was recorded in the step, by the stays' own times; of anonymous organizations it is rounded to whole minutes, and left out of steps that are not over or have fewer exits than `smallestCount` of the policy, 5 by default. 204 when there is none. */
    organizationHistory: ["GET","/presence/organization/{organizationId}/history","400 401 403 404 413 415 429 503","list"],
    /** Read the history of a place's presence. For administrators of any level, and for displays: a row for each minute, hour or day since the feed began, for at most 1,500 steps. Days, and hours where it is not whole hours from UTC, are those of `timeZone`: the name of a time zone, or `organization` for that of the policy; left out, UTC. `from` is rounded down and `to` up. `entered`, `left`, `least`, `most` and the time-weighted `average` of people inside go by when the service recorded a movement. `averageStay`, in seconds, is of the stays whose exit was recorded in the step, by the stays' own times; of anonymous organizations it is rounded to whole minutes, and left out of steps that are not over or have fewer exits than `smallestCount` of the policy, 5 by default. 204 when there is none. */
    placeHistory: ["GET","/presence/place/{placeId}/history","400 401 403 404 413 415 429 503","list"]
  },
  floorplan: {
    /** Keep the plan of a floor. For managers: an image of at most 1 MiB and 4,096 pixels a side, which fills the box from `west` to `east` and `south` to `north`, in degrees, and is turned clockwise around its middle by `rotation` degrees. It takes the place of the floor's plan. At most 50 for an organization, 409 above. */
    put: ["PUT","/floorplan/organization/{organizationId}","400 401 403 404 409 413 415 429 503","blob"],
    /** Read the plan of a floor. For administrators of any level, and for displays: the image. 304 for the `ETag` that is known. */
    get: ["GET","/floorplan/organization/{organizationId}","400 401 403 404 413 415 429 503","","image/png, image/jpeg, image/webp"],
    /** Remove the plan of a floor. For managers. */
    remove: ["DELETE","/floorplan/organization/{organizationId}","400 401 403 404 413 415 429 503",""],
    /** List the floor plans of an organization. For administrators of any level, and for displays: the plans without their images, the lowest floor first. 204 when there is none. */
    list: ["GET","/floorplans/organization/{organizationId}","400 401 403 404 413 415 429 503","list"]
  },
  device: {
    /** Make a device. For managers and owners. A `counter` may send readings of these premises, and do nothing else; a `display` may read the organization, its places, floor plans, counters, capacities, histories and the stream, and do nothing else. The token is answered this once. 409 when the organization has 500 devices. */
    create: ["POST","/device/organization/{organizationId}","400 401 403 404 409 413 415 429 503",""],
    /** List the devices of an organization. For administrators of any level, in the order of creation, without tokens. `kind` is answered of displays alone. `drift` is how many more people a device counted out than were counted inside; those whom readings count in within 2 minutes are taken off. `state` is `silent` where it sent nothing for a while, `behind` where its totals have been below its highest ones for 5 minutes. 204 when there is none. */
    list: ["GET","/device/organization/{organizationId}","400 401 403 404 413 415 429 503","list"],
    /** Give a device another token. For managers and owners. The token is answered this once. The former one is valid for 60 seconds more, and the one before it no longer. */
    rotate: ["POST","/device/{deviceId}/token","400 401 403 404 413 415 429 503",""],
    /** Remove a device. For managers and owners. What the device counted stays counted. */
    remove: ["DELETE","/device/{deviceId}","400 401 403 404 413 415 429 503",""],
    /** Send readings. For devices that are no displays. `in` and `out` are totals since the `epoch` began: a reading counts by how much they are above the highest ones, so that one that is sent again changes nothing. All readings are counted, or none. `accepted` is how many changed anything. 403 for premises of which the device was not made, 400 for a total that grew by more than 10,000, 409 where new epochs count more than 100,000 people within a minute, or are more than 20,000. */
    count: ["POST","/device/count","400 401 403 409 413 415 429 503",""]
  },
  counted: {
    /** Correct how many people are counted in an organization. For managers and owners. Sets the number of people whom devices count inside. The difference is published as a `presence.changed` that is `corrected`. */
    correctOrganization: ["PUT","/presence/organization/{organizationId}/counted","400 401 403 404 413 415 429 503",""],
    /** Read how many people are counted in an organization. For administrators of any level. `inside` is the sum of the open stays and of the people counted. */
    organization: ["GET","/presence/organization/{organizationId}/counted","400 401 403 404 413 415 429 503",""],
    /** Correct how many people are counted in a place. For managers and owners. Sets the number of people whom devices count inside. The difference is published as a `presence.changed` that is `corrected`. */
    correctPlace: ["PUT","/presence/place/{placeId}/counted","400 401 403 404 413 415 429 503",""],
    /** Read how many people are counted in a place. For administrators of any level. `inside` is the sum of the open stays and of the people counted. */
    place: ["GET","/presence/place/{placeId}/counted","400 401 403 404 413 415 429 503",""]
  },
  muster: {
    /** List who is inside an organization or a place of it. For administrators of any level, in authenticated organizations; 400 in others. By person, since the entrance of their stay. 204 when there is none. */
    insideOrganization: ["GET","/presence/organization/{organizationId}/inside","400 401 403 404 413 415 429 503","list"],
    /** List who is inside a place. For administrators of any level, in authenticated organizations; 400 in others. By person, since the entrance of their stay. 204 when there is none. */
    insidePlace: ["GET","/presence/place/{placeId}/inside","400 401 403 404 413 415 429 503","list"],
    /** Start a muster. For managers: of the people who are inside at one moment. 409 while a muster of the organization is open. */
    startMuster: ["POST","/muster/organization/{organizationId}","400 401 403 404 409 413 415 429 503",""],
    /** List the musters of an organization. For administrators of any level: without their people, the newest first. 204 when there is none. */
    listMusters: ["GET","/muster/organization/{organizationId}","400 401 403 404 413 415 429 503","list"],
    /** Read a muster. For administrators of any level. With `Accept: text/csv` the people as CSV (RFC 4180); a text that a spreadsheet would take for a formula is preceded by `'`. An anonymous muster has numbers alone. */
    readMuster: ["GET","/muster/{musterId}","400 401 403 404 413 415 429 503",""],
    /** Read a muster. For administrators of any level. With `Accept: text/csv` the people as CSV (RFC 4180); a text that a spreadsheet would take for a formula is preceded by `'`. An anonymous muster has numbers alone. */
    readMusterCsv: ["GET","/muster/{musterId}","400 401 403 404 413 415 429 503","","text/csv"],
    /** Mark people as safe. For administrators of any level: `orgAuthServerIds`, 1,000 at most; in an anonymous muster `count`, how many people are at the muster point in all. Adds people who were not known to be inside: at most as many as were inside, or 1,000. 409 above, which marks no person, and after the end. */
    markSafe: ["POST","/muster/{musterId}/safe","400 401 403 404 409 413 415 429 503",""],
    /** Take back marks. For administrators of any level, in authenticated organizations; 400 in others, whose numbers another `count` corrects. People who were added by a mark alone are taken out again, and people without a mark stay as they are. 409 after the end. */
    markMissing: ["POST","/muster/{musterId}/missing","400 401 403 404 409 413 415 429 503",""],
    /** Mark a place as searched, or take that back. For administrators of any level. `swept` of the muster says which places were searched, when and by whom first. 400 for a place that the organization does not have, 409 after the end. */
    markSwept: ["POST","/muster/{musterId}/swept","400 401 403 404 409 413 415 429 503",""],
    /** End a muster. For managers. It stays as it is in that moment; a muster that has ended is answered unchanged. */
    endMuster: ["POST","/muster/{musterId}/end","400 401 403 404 413 415 429 503",""]
  },
  import: {
    /** Create places from GeoJSON. For managers and owners: a FeatureCollection of at most 8 MiB and 2,000 features, each a Polygon or MultiPolygon. Of `properties`, `name`, `level`, `parent` and `capacity` are read: `parent` is the `id` or the name of another feature, or a placeId. Parents are created first, in whatever order they come. A feature that breaks a rule is refused by itself. With `dryRun=true` nothing changes. */
    places: ["POST","/import/organization/{organizationId}/places","400 401 403 404 413 415 429 503","blob"],
    /** Add accesses that another system recorded. For operators: CSV whose first row has the names of the columns, or an object of JSON in each line, of at most 16 MiB. Each row has `entranceTimestamp` and `exitTimestamp`; `placeId` or `placeName`, without which it is of the organization itself; `orgAuthServerId` where the organization knows its people, and nowhere else; and a `key` of up to 64 characters if you like, which is imported once. They are accesses as others, and in the histories of their own times; counters, streams and capacities stay as they are. All rows that are right are imported or none, and the others refused one by one, with at most 1,000 reasons. */
    accesses: ["POST","/operator/organization/{organizationId}/import/accesses","400 401 403 404 413 415 429 503","blob"]
  },
  operator: {
    /** Create an organization with its first owner. For operators. The owner's account is registered if there is none. Without an administratorId the owner is who has proved the mail address, or the first who does: an invitation. */
    createOrganization: ["POST","/operator/organization","400 401 403 413 415 429 503",""],
    /** List all organizations with their numbers. For operators, oldest first: how many places, administrators and people inside each has. At most `limit` of them, 100 by default; fewer where their tracking areas are long. `next` is the `after` of the next page. Inside are the open stays and the people counted, of the organization itself, or of its outermost places together where they have more. 204 when there is none. */
    listOrganizations: ["GET","/operator/organization","400 401 403 413 415 429 503",""],
    /** Read an organization as an operator. For operators, who see its name before they decide about it. */
    readOrganization: ["GET","/operator/organization/{organizationId}","400 401 403 404 413 415 429 503",""],
    /** Bind an administrator to an organization as an operator. For operators: a way back for an organization whose owners are gone. The administrator has an account, and is named by id, by mail address, or by both. They count as nominated by themselves. */
    bindAdministrator: ["POST","/operator/organization/{organizationId}/administrator","400 401 403 404 413 415 429 503",""],
    /** Set the largest area of an organization. For operators, in square metres; `null` lifts it. */
    constrainOrganization: ["PUT","/operator/organization/{organizationId}/constraint","400 401 403 404 413 415 429 503",""],
    /** Read the stay policy of an organization. For operators, in seconds; what is left out has no bound. */
    readStayPolicy: ["GET","/operator/organization/{organizationId}/policy","400 401 403 404 413 415 429 503",""],
    /** Change the stay policy of an organization. For operators, in seconds. `null` lifts a bound, and what is left out stays; one of them is there. Stays that are open for longer are abandoned, and accesses whose exit lies further back are forgotten: both for good. Events of some premises are at least `eventGrain` seconds apart. From 2 seconds on it is the publishing interval of an anonymous organization: its events of presence and capacity come at multiples of it since the Unix epoch, and counters, capacities, histories, snapshots and musters answer what the last event said. Steps of an anonymous organization's history with fewer exits than `smallestCount` have no average stay, nor has the running step: 5 by default, and 1 lifts both. `countedResetAt` and `staysEndAt` are local times of the organization's `timeZone`, UTC by default: once a day the people counted become 0, and all open stays are abandoned. */
    changeStayPolicy: ["PUT","/operator/organization/{organizationId}/policy","400 401 403 404 413 415 429 503",""],
    /** Register an administrator's account. For operators. */
    registerAdministrator: ["POST","/operator/administrator","400 401 403 413 415 429 503",""],
    /** Revoke the tokens of a caller. For operators: the tokens of this caller that were issued before `issuedBefore` by their `iat`, or have none, are refused within 2 seconds, by every server and stream, whoever issued them. It is now, unless it is sent, and at most 5 minutes ahead; of several the latest counts. The id is the service's: with the `subjectPrefix` of its issuer. Without `issuedBefore` the answer comes after at most a second: a token that is issued after it works. Devices are removed instead. */
    revokeTokens: ["POST","/operator/token/revoke","400 401 403 413 415 429 503",""],
    /** List deletion requests. For operators, oldest first; of one status, or all. 204 when there is none. */
    listDeletionRequests: ["GET","/operator/deletionrequest","400 401 403 413 415 429 503","list"],
    /** Approve a deletion request. For operators. The organization ends with everything that belongs to it. */
    approveDeletionRequest: ["POST","/operator/deletionrequest/{id}/approve","400 401 403 404 409 413 415 429 503",""],
    /** Reject a deletion request. For operators. The organization stays as it is. */
    rejectDeletionRequest: ["POST","/operator/deletionrequest/{id}/reject","400 401 403 404 409 413 415 429 503",""]
  },
  personaldata: {
    /** Export what is stored about a person. For operators. Name a user, a person of an organization, an administrator by id or by mail address, or an operator. Lists are empty of what is not stored. Exit tokens and passwords are not in it. */
    export: ["POST","/operator/personaldata/export","400 401 403 413 415 429 503",""],
    /** Erase what is stored about a person. For operators. Answers how much was removed: nothing, when it is asked again. A user is erased with the people that they are linked to. 409: the administrator is an organization's only owner. */
    erase: ["POST","/operator/personaldata/erase","400 401 403 409 413 415 429 503",""],
    /** List what erasures took from an organization's totals. For operators: one entry for each day on which stays were erased, all people together. 204 when there is none. */
    erasures: ["GET","/operator/organization/{organizationId}/erasure","400 401 403 404 413 415 429 503","list"]
  },
  audit: {
    /** List who changed what in an organization. For owners. Entries of at most 366 days, the newest first: each change by an administrator, an operator, a command or a policy, and each reading of people, of which those of one caller and target within a minute are one. `action` and `actor` are whole names. 204 when there is none. With `Accept: text/csv` all of them as a file (RFC 4180, UTF-8 with a byte order mark), whatever `limit` is; a text that a spreadsheet would take for a formula is preceded by `'`. The file has local times in the time zone of the policy beside. */
    list: ["GET","/audit/organization/{organizationId}","400 401 403 404 413 415 429 503",""],
    /** List who changed what in an organization. For owners. Entries of at most 366 days, the newest first: each change by an administrator, an operator, a command or a policy, and each reading of people, of which those of one caller and target within a minute are one. `action` and `actor` are whole names. 204 when there is none. With `Accept: text/csv` all of them as a file (RFC 4180, UTF-8 with a byte order mark), whatever `limit` is; a text that a spreadsheet would take for a formula is preceded by `'`. The file has local times in the time zone of the policy beside. */
    listCsv: ["GET","/audit/organization/{organizationId}","400 401 403 404 413 415 429 503","","text/csv"]
  },
  operatoraudit: {
    /** List who changed what in all organizations. For operators: of one organization, which may be deleted, or of all, with what concerns none. Entries of at most 366 days, the newest first: each change by an administrator, an operator, a command or a policy, and each reading of people, of which those of one caller and target within a minute are one. `action` and `actor` are whole names. 204 when there is none. With `Accept: text/csv` all of them as a file (RFC 4180, UTF-8 with a byte order mark), whatever `limit` is; a text that a spreadsheet would take for a formula is preceded by `'`. */
    list: ["GET","/operator/audit","400 401 403 413 415 429 503",""],
    /** List who changed what in all organizations. For operators: of one organization, which may be deleted, or of all, with what concerns none. Entries of at most 366 days, the newest first: each change by an administrator, an operator, a command or a policy, and each reading of people, of which those of one caller and target within a minute are one. `action` and `actor` are whole names. 204 when there is none. With `Accept: text/csv` all of them as a file (RFC 4180, UTF-8 with a byte order mark), whatever `limit` is; a text that a spreadsheet would take for a formula is preceded by `'`. */
    listCsv: ["GET","/operator/audit","400 401 403 413 415 429 503","","text/csv"]
  },
  accountlink: {
    /** Link the caller's account. For users: they prove an account on the organization's authentication server, and are that person from then on. */
    link: ["POST","/authenticationserver/link","400 401 403 404 413 415 429 502 503 504",""],
    /** Unlink the caller's account. For users. */
    unlink: ["DELETE","/authenticationserver/link/{organizationId}","400 401 403 404 413 415 429 503",""]
  },
  authentication: {
    /** Sign in with a password. For administrators whose account has a password. After 5 failed attempts of a network for a username the next ones are delayed. */
    token: ["POST","/authentication/token","400 404 413 415 429 503","form"],
    /** Read whom the token proves. For administrators: the caller's id, which is not the token's `sub` with every issuer, and the mail address that the token proves. */
    administrator: ["GET","/authentication/administrator","400 401 403 413 415 429 503",""],
    /** End all tokens of the caller. For administrators: every token of theirs that was issued until now is refused within 2 seconds, by every server and stream, whoever issued it. The answer comes after at most a second: a token that is issued after it works. */
    signOut: ["POST","/administrator/signout","400 401 403 413 415 429 503",""]
  },
  webhook: {
    /** Create a webhook. For owners. Events that are recorded from now on are sent to the `https` URL, as Standard Webhooks 1.0.0 says; `types` left out: all but `presence.changed`. The secret that verifies them is answered this once. 409 when the organization has 10 webhooks. */
    create: ["POST","/webhook/organization/{organizationId}","400 401 403 404 409 413 415 429 503",""],
    /** List the webhooks of an organization. For owners, in the order of creation, without secrets. 204 when there is none. */
    list: ["GET","/webhook/organization/{organizationId}","400 401 403 404 413 415 429 503","list"],
    /** Delete a webhook. For owners. */
    remove: ["DELETE","/webhook/{webhookId}","400 401 403 404 413 415 429 503",""],
    /** Enable a webhook. For owners. A webhook that is disabled or failing goes on at once, after the event that was delivered last. One that was disabled is the caller's from then on (`createdBy`). */
    enable: ["POST","/webhook/{webhookId}/enable","400 401 403 404 413 415 429 503",""],
    /** Give a webhook a new secret. For owners. The new secret is answered this once. For 24 hours deliveries carry two signatures, of the new secret and of the one before it; a third secret ends the oldest at once. */
    renewSecret: ["POST","/webhook/{webhookId}/secret","400 401 403 404 413 415 429 503",""],
    /** Deliver events again. For owners. Delivers the events from `fromVersion` on, again where they were delivered before. A failing webhook does so at its next attempt, a disabled one once it is enabled. 400 for a version before the oldest event that is kept, or after the newest one. */
    replay: ["POST","/webhook/{webhookId}/replay","400 401 403 404 413 415 429 503",""],
    /** Test a webhook. For owners. Within about two seconds a delivery of the type `webhook.test` is sent, once and whatever the webhook's state, which it does not change: it is no event. Its outcome is among the attempts. 429 while the test before was not sent yet. */
    test: ["POST","/webhook/{webhookId}/test","400 401 403 404 413 415 429 503",""],
    /** List the last attempts of a webhook. For owners. The last 50 attempts to send a delivery, newest first; one without `version` was a test. 204 when there is none. */
    attempts: ["GET","/webhook/{webhookId}/attempts","400 401 403 404 413 415 429 503","list"]
  },
  health: {
    /** Does the server live? Without authentication: 200 as long as the process answers. */
    live: ["GET","/health/live","",""],
    /** Is the server ready? Without authentication: 503 while the database is away, and when the server ends. */
    ready: ["GET","/health/ready","503",""]
  }
} as const
