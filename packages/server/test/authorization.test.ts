/**
 * The authorization matrix: one row per endpoint and kind of resource, one column per kind of caller. A cell is the
 * expected status of a request that is valid in every other respect.
 *
 *   public     no credentials, or bad ones       viewer, manager, owner   administrators bound to the organization
 *   user       an app user                       unbound    an administrator with an account, bound to nothing
 *   linked     a user linked to the person       foreign    the owner of another organization
 *              "ada" of the organization         operator   one of the service's own administrators
 *   display    a display of the organization     counter    a device of the organization that counts
 *
 *   own        the resource of the organization that the columns are about
 *   missing    a well-formed id that was never issued
 *
 * Paths have placeholders: {o} the organization, {p} its place, {m} its muster, {w} its webhook, {r} a request for its
 * deletion, {a} an anonymous organization and {h} its place, {id} the caller or another one.
 *
 * The column "foreign" addresses the same organization as the other columns; the caller owns another one.
 */
import { describe, expect, it } from "vitest"
import { DEMO_PASSWORD, DEMO_SERVER } from "../src/demo/people.ts"
import { at, makeFixtures, NOWHERE, rectangle, square, unique, want } from "./fixtures.ts"
import { type Bearer, type Sent, sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { call, operator } = fixtures

const COLUMNS = [
  "public",
  "user",
  "linked",
  "unbound",
  "viewer",
  "manager",
  "owner",
  "foreign",
  "operator",
  "display",
  "counter"
] as const

/** The present day and the next one, as a window of records. */
const WINDOW = `from=${at(0)}&to=${at(86_400)}`

/** The present day, and the next one. */
const TODAY = `step=day&from=${at(0)}&to=${at(86_400)}`

const INTERFACE = `
                                                                   public user linked unbound viewer manager owner foreign operator display counter
GET    /organization/{o}                               own         401    200  200    403     200    200     200   403     403      200     403
GET    /organization/{o}                               missing     401    404  404    404     404    404     404   404     403      404     403
GET    /organization                                   -           401    200  200    403     403    403     403   403     403      403     403
POST   /organization/requestdeletion                   own         401    403  403    403     403    403     204   403     403      403     403
POST   /organization/requestdeletion                   missing     401    403  403    404     404    404     404   404     403      403     403
PUT    /organization                                   own         401    403  403    403     403    403     200   403     403      403     403
PUT    /organization                                   missing     401    403  403    404     404    404     404   404     403      403     403
PATCH  /organization/{o}/trackingArea                  own         401    403  403    403     403    200     200   403     403      403     403
PATCH  /organization/{o}/trackingArea                  missing     401    403  403    404     404    404     404   404     403      403     403

POST   /administrator/bindadministrator                own         401    403  403    403     403    403     201   403     403      403     403
POST   /administrator/bindadministrator                missing     401    403  403    404     404    404     404   404     403      403     403
POST   /administrator/bindadministrator                own,unknown 401    403  403    403     403    403     404   403     403      403     403
POST   /administrator/createadministrator              own         401    403  403    403     403    403     201   403     403      403     403
POST   /administrator/createadministrator              missing     401    403  403    404     404    404     404   404     403      403     403
GET    /administrator/organization/{o}                 own         401    403  403    403     403    403     200   403     403      403     403
GET    /administrator/organization/{o}                 missing     401    403  403    404     404    404     404   404     403      403     403
GET    /administrator/permission/{id}                  theirs      401    403  403    204     200    200     200   200     403      403     403
GET    /administrator/permission/{id}                  another's   401    403  403    403     403    403     403   403     403      403     403
POST   /administrator/unbindadministrator              own         401    403  403    403     403    403     204   403     403      403     403
POST   /administrator/unbindadministrator              own,unknown 401    403  403    403     403    403     404   403     403      403     403
POST   /administrator/unbindadministrator              missing     401    403  403    404     404    404     404   404     403      403     403
PATCH  /administrator/updatepermission                 own         401    403  403    403     403    403     201   403     403      403     403
PATCH  /administrator/updatepermission                 own,unknown 401    403  403    403     403    403     404   403     403      403     403
PATCH  /administrator/updatepermission                 missing     401    403  403    404     404    404     404   404     403      403     403

GET    /access/organization/{a}/anonymous/{token}      own         401    200  200    403     403    403     403   403     403      403     403
GET    /access/organization/{a}/anonymous/{token}      missing     401    204  204    403     403    403     403   403     403      403     403
GET    /access/place/{h}/anonymous/{hallToken}         own         401    200  200    403     403    403     403   403     403      403     403
GET    /access/place/{h}/anonymous/{hallToken}         missing     401    204  204    403     403    403     403   403     403      403     403
GET    /access/organization/{o}/authenticated/{people} ada         401    403  200    403     200    200     200   403     403      403     403
GET    /access/organization/{o}/authenticated/{people} alan        401    403  403    403     204    204     204   403     403      403     403
GET    /access/organization/{o}/authenticated/{people} ada,alan    401    403  403    403     200    200     200   403     403      403     403
GET    /access/organization/{o}/authenticated/{people} missing     401    403  403    403     403    403     403   403     403      403     403
GET    /access/place/{p}/authenticated/{people}        ada         401    403  200    403     200    200     200   403     403      403     403
GET    /access/place/{p}/authenticated/{people}        alan        401    403  403    403     204    204     204   403     403      403     403
GET    /access/place/{p}/authenticated/{people}        missing     401    403  403    403     403    403     403   403     403      403     403

POST   /place                                          own         401    403  403    403     403    201     201   403     403      403     403
POST   /place                                          missing     401    403  403    403     403    403     403   403     403      403     403
DELETE /place/{p}                                      own         401    403  403    403     403    205     205   403     403      403     403
DELETE /place/{p}                                      missing     401    403  403    404     404    404     404   404     403      403     403
GET    /place/organization/{o}                         own         401    200  200    403     200    200     200   403     403      200     403
GET    /place/organization/{o}                         missing     401    204  204    403     403    403     403   403     403      403     403
PUT    /place                                          own         401    403  403    403     403    200     200   403     403      403     403
PUT    /place                                          missing     401    403  403    404     404    404     404   404     403      403     403

POST   /favorite/addfavorite                           own         401    403  201    403     403    403     403   403     403      403     403
POST   /favorite/addfavorite                           anonymous   401    201  201    403     403    403     403   403     403      403     403
POST   /favorite/addfavorite                           missing     401    404  404    403     403    403     403   403     403      403     403
GET    /favorite/{id}                                  theirs      401    204  204    403     403    403     403   403     403      403     403
GET    /favorite/{id}                                  another's   401    400  400    403     403    403     403   403     403      403     403
POST   /favorite/removefavorite                        own         401    404  404    403     403    403     403   403     403      403     403
POST   /favorite/removefavorite                        missing     401    404  404    403     403    403     403   403     403      403     403
POST   /favorite/removefavorite                        another's   401    403  403    403     403    403     403   403     403      403     403

POST   /movement/track/organization                    own         401    403  201    403     403    403     403   403     403      403     403
POST   /movement/track/organization                    anonymous   401    201  201    403     403    403     403   403     403      403     403
POST   /movement/track/organization                    missing     401    400  400    403     403    403     403   403     403      403     403
POST   /movement/track/place                           own         401    403  201    403     403    403     403   403     403      403     403
POST   /movement/track/place                           missing     401    400  400    403     403    403     403   403     403      403     403

GET    /presence/organization/{o}/counter              own         401    403  403    403     200    200     200   403     403      200     403
GET    /presence/organization/{o}/counter              missing     401    403  403    404     404    404     404   404     403      404     403
GET    /presence/place/{p}/counter                     own         401    403  403    403     200    200     200   403     403      200     403
GET    /presence/place/{p}/counter                     missing     401    403  403    404     404    404     404   404     403      404     403

POST   /authenticationserver/userinformation           own         401    403  403    403     200    200     200   403     403      403     403
POST   /authenticationserver/userinformation           missing     401    403  403    404     404    404     404   404     403      403     403
GET    /report/place/{p}                               own         401    403  403    403     200    200     200   403     403      403     403
GET    /report/place/{p}                               missing     401    403  403    404     404    404     404   404     403      403     403
`

const EXTENSIONS = `
                                                                   public user linked unbound viewer manager owner foreign operator display counter
POST   /operator/organization                          -           401    403  403    403     403    403     403   403     201      403     403
PUT    /operator/organization/{o}/constraint           own         401    403  403    403     403    403     403   403     200      403     403
PUT    /operator/organization/{o}/constraint           missing     401    403  403    403     403    403     403   403     404      403     403
POST   /device/organization/{o}                        own         401    403  403    403     403    201     201   403     403      403     403
POST   /device/organization/{o}                        missing     401    403  403    404     404    404     404   404     403      403     403
GET    /device/organization/{o}                        own         401    403  403    403     200    200     200   403     403      403     403
GET    /device/organization/{o}                        missing     401    403  403    404     404    404     404   404     403      403     403
POST   /device/{d}/token                               own         401    403  403    403     403    200     200   403     403      403     403
POST   /device/{d}/token                               missing     401    403  403    404     404    404     404   404     403      403     403
DELETE /device/{d}                                     own         401    403  403    403     403    204     204   403     403      403     403
DELETE /device/{d}                                     missing     401    403  403    404     404    404     404   404     403      403     403
POST   /device/count                                   -           401    403  403    403     403    403     403   403     403      403     200
PUT    /presence/organization/{o}/counted              own         401    403  403    403     403    200     200   403     403      403     403
PUT    /presence/organization/{o}/counted              missing     401    403  403    404     404    404     404   404     403      403     403
GET    /presence/organization/{o}/counted              own         401    403  403    403     200    200     200   403     403      403     403
GET    /presence/organization/{o}/counted              missing     401    403  403    404     404    404     404   404     403      403     403
PUT    /presence/place/{p}/counted                     own         401    403  403    403     403    200     200   403     403      403     403
PUT    /presence/place/{p}/counted                     missing     401    403  403    404     404    404     404   404     403      403     403
GET    /presence/place/{p}/counted                     own         401    403  403    403     200    200     200   403     403      403     403
GET    /presence/place/{p}/counted                     missing     401    403  403    404     404    404     404   404     403      403     403
GET    /floorplans/organization/{o}                    own         401    403  403    403     204    204     204   403     403      204     403
GET    /floorplans/organization/{o}                    missing     401    403  403    404     404    404     404   404     403      404     403
GET    /operator/organization                          -           401    403  403    403     403    403     403   403     200      403     403
POST   /operator/organization/{o}/administrator        own         401    403  403    403     403    403     403   403     201      403     403
POST   /operator/organization/{o}/administrator        missing     401    403  403    403     403    403     403   403     404      403     403
POST   /operator/token/revoke                          -           401    403  403    403     403    403     403   403     204      403     403
POST   /administrator/signout                          -           401    403  403    204     204    204     204   204     403      403     403
POST   /import/organization/{o}/places                 own         401    403  403    403     403    200     200   403     403      403     403
POST   /import/organization/{o}/places                 missing     401    403  403    404     404    404     404   404     403      403     403
POST   /operator/organization/{o}/import/accesses      own         401    403  403    403     403    403     403   403     200      403     403
POST   /operator/organization/{o}/import/accesses      missing     401    403  403    403     403    403     403   403     404      403     403
GET    /operator/organization/{o}                      own         401    403  403    403     403    403     403   403     200      403     403
GET    /operator/organization/{o}                      missing     401    403  403    403     403    403     403   403     404      403     403
GET    /operator/organization/{o}/policy               own         401    403  403    403     403    403     403   403     200      403     403
GET    /operator/organization/{o}/policy               missing     401    403  403    403     403    403     403   403     404      403     403
PUT    /operator/organization/{o}/policy               own         401    403  403    403     403    403     403   403     200      403     403
PUT    /operator/organization/{o}/policy               missing     401    403  403    403     403    403     403   403     404      403     403
GET    /authentication/administrator                   -           401    403  403    200     200    200     200   200     403      403     403
POST   /operator/administrator                         -           401    403  403    403     403    403     403   403     201      403     403
GET    /organization/{o}/deletionrequest               own         401    403  403    403     403    403     204   403     403      403     403
GET    /organization/{o}/deletionrequest               missing     401    403  403    404     404    404     404   404     403      403     403
GET    /operator/deletionrequest                       -           401    403  403    403     403    403     403   403     200      403     403
POST   /operator/deletionrequest/{r}/approve           missing     401    403  403    403     403    403     403   403     404      403     403
POST   /operator/deletionrequest/{r}/approve           own         401    403  403    403     403    403     403   403     204      403     403
POST   /operator/deletionrequest/{r}/reject            missing     401    403  403    403     403    403     403   403     404      403     403
POST   /operator/deletionrequest/{r}/reject            own         401    403  403    403     403    403     403   403     204      403     403
GET    /audit/organization/{o}?{window}                own         401    403  403    403     403    403     200   403     403      403     403
GET    /audit/organization/{o}?{window}                missing     401    403  403    404     404    404     404   404     403      403     403
GET    /operator/audit?{window}                        -           401    403  403    403     403    403     403   403     200      403     403
POST   /operator/personaldata/export                   -           401    403  403    403     403    403     403   403     200      403     403
POST   /operator/personaldata/erase                    -           401    403  403    403     403    403     403   403     200      403     403
GET    /operator/organization/{o}/erasure              own         401    403  403    403     403    403     403   403     204      403     403
GET    /operator/organization/{o}/erasure              missing     401    403  403    403     403    403     403   403     404      403     403
GET    /capacity/organization/{o}                      own         401    403  403    403     200    200     200   403     403      200     403
GET    /capacity/organization/{o}                      missing     401    403  403    404     404    404     404   404     403      404     403
PUT    /capacity/organization/{o}                      own         401    403  403    403     403    200     200   403     403      403     403
PUT    /capacity/organization/{o}                      missing     401    403  403    404     404    404     404   404     403      403     403
GET    /capacity/place/{p}                             own         401    403  403    403     200    200     200   403     403      200     403
GET    /capacity/place/{p}                             missing     401    403  403    404     404    404     404   404     403      404     403
PUT    /capacity/place/{p}                             own         401    403  403    403     403    200     200   403     403      403     403
PUT    /capacity/place/{p}                             missing     401    403  403    404     404    404     404   404     403      403     403
POST   /authenticationserver/link                      own         401    201  201    403     403    403     403   403     403      403     403
POST   /authenticationserver/link                      missing     401    404  404    403     403    403     403   403     403      403     403
DELETE /authenticationserver/link/{o}                  own         401    404  205    403     403    403     403   403     403      403     403
DELETE /authenticationserver/link/{o}                  missing     401    404  404    403     403    403     403   403     403      403     403
GET    /presence/organization/{o}/history?{today}      own         401    403  403    403     200    200     200   403     403      200     403
GET    /presence/organization/{o}/history?{today}      missing     401    403  403    404     404    404     404   404     403      404     403
GET    /presence/place/{p}/history?{today}             own         401    403  403    403     200    200     200   403     403      200     403
GET    /presence/place/{p}/history?{today}             missing     401    403  403    404     404    404     404   404     403      404     403
GET    /record/organization/{o}/access?{today}         own         401    403  403    403     204    204     204   403     403      403     403
GET    /record/organization/{o}/access?{today}         missing     401    403  403    404     404    404     404   404     403      403     403
GET    /record/place/{p}/access?{today}                own         401    403  403    403     204    204     204   403     403      403     403
GET    /record/place/{p}/access?{today}                missing     401    403  403    404     404    404     404   404     403      403     403
GET    /record/organization/{o}/report?{today}         own         401    403  403    403     204    204     204   403     403      403     403
GET    /record/organization/{o}/report?{today}         missing     401    403  403    404     404    404     404   404     403      403     403
GET    /report/place/{p}?{today}                       own         401    403  403    403     204    204     204   403     403      403     403
GET    /report/place/{p}?{today}                       missing     401    403  403    404     404    404     404   404     403      403     403
GET    /presence/organization/{o}/inside               own         401    403  403    403     204    204     204   403     403      403     403
GET    /presence/organization/{o}/inside               missing     401    403  403    404     404    404     404   404     403      403     403
GET    /presence/place/{p}/inside                      own         401    403  403    403     204    204     204   403     403      403     403
GET    /presence/place/{p}/inside                      missing     401    403  403    404     404    404     404   404     403      403     403
POST   /muster/organization/{o}                        own         401    403  403    403     403    201     201   403     403      403     403
POST   /muster/organization/{o}                        missing     401    403  403    404     404    404     404   404     403      403     403
GET    /muster/organization/{o}                        own         401    403  403    403     200    200     200   403     403      403     403
GET    /muster/organization/{o}                        missing     401    403  403    404     404    404     404   404     403      403     403
GET    /muster/{m}                                     own         401    403  403    403     200    200     200   403     403      403     403
GET    /muster/{m}                                     missing     401    403  403    404     404    404     404   404     403      403     403
POST   /muster/{m}/safe                                own         401    403  403    403     200    200     200   403     403      403     403
POST   /muster/{m}/safe                                missing     401    403  403    404     404    404     404   404     403      403     403
POST   /muster/{m}/missing                             own         401    403  403    403     200    200     200   403     403      403     403
POST   /muster/{m}/missing                             missing     401    403  403    404     404    404     404   404     403      403     403
POST   /muster/{m}/swept                               own         401    403  403    403     200    200     200   403     403      403     403
POST   /muster/{m}/swept                               missing     401    403  403    404     404    404     404   404     403      403     403
POST   /muster/{m}/end                                 own         401    403  403    403     403    200     200   403     403      403     403
POST   /muster/{m}/end                                 missing     401    403  403    404     404    404     404   404     403      403     403
POST   /record/organization/{o}/end                    own         401    403  403  403     403    200     200   403     403      403     403
POST   /record/organization/{o}/end                    missing     401    403  403  404     404    404     404   404     403      403     403
POST   /record/place/{p}/end                           own         401    403  403  403     403    200     200   403     403      403     403
POST   /record/place/{p}/end                           missing     401    403  403  404     404    404     404   404     403      403     403
POST   /record/organization/{o}/clear                  own         401    403  403  403     403    200     200   403     403      403     403
POST   /record/organization/{o}/clear                  missing     401    403  403  404     404    404     404   404     403      403     403
POST   /record/place/{p}/clear                         own         401    403  403  403     403    200     200   403     403      403     403
POST   /record/place/{p}/clear                         missing     401    403  403  404     404    404     404   404     403      403     403
POST   /webhook/organization/{o}                       own         401    403  403    403     403    403     201   403     403      403     403
POST   /webhook/organization/{o}                       missing     401    403  403    404     404    404     404   404     403      403     403
GET    /webhook/organization/{o}                       own         401    403  403    403     403    403     200   403     403      403     403
GET    /webhook/organization/{o}                       missing     401    403  403    404     404    404     404   404     403      403     403
DELETE /webhook/{w}                                    own         401    403  403    403     403    403     204   403     403      403     403
DELETE /webhook/{w}                                    missing     401    403  403    404     404    404     404   404     403      403     403
POST   /webhook/{w}/enable                             own         401    403  403    403     403    403     200   403     403      403     403
POST   /webhook/{w}/enable                             missing     401    403  403    404     404    404     404   404     403      403     403
POST   /webhook/{w}/secret                             own         401    403  403    403     403    403     200   403     403      403     403
POST   /webhook/{w}/secret                             missing     401    403  403    404     404    404     404   404     403      403     403
POST   /webhook/{w}/replay                             own         401    403  403    403     403    403     400   403     403      403     403
POST   /webhook/{w}/replay                             missing     401    403  403    404     404    404     404   404     403      403     403
POST   /webhook/{w}/test                               own         401    403  403    403     403    403     204   403     403      403     403
POST   /webhook/{w}/test                               missing     401    403  403    404     404    404     404   404     403      403     403
GET    /webhook/{w}/attempts                           own         401    403  403    403     403    403     204   403     403      403     403
GET    /webhook/{w}/attempts                           missing     401    403  403    404     404    404     404   404     403      403     403
GET    /health/live                                    -           200    200  200    200     200    200     200   200     200      200     200
GET    /health/ready                                   -           200    200  200    200     200    200     200   200     200      200     200
GET    /openapi.json                                   -           200    200  200    200     200    200     200   200     200      200     200
GET    /asyncapi.json                                  -           200    200  200    200     200    200     200   200     200      200     200
GET    /docs                                           -           200    200  200    200     200    200     200   200     200      200     200
GET    /metrics                                        -           200    200  200    200     200    200     200   200     200      200     200
`

type Column = (typeof COLUMNS)[number]

/** An area around that of the organizations. */
const LARGER_GROUNDS = rectangle(10.9, 45, 12, 46)

/** The action that a change of an administrator or an operator adds to the audit; none where the row's request changes nothing. */
const ACTIONS: Readonly<Record<string, string | undefined>> = {
  "POST /organization/requestdeletion": "deletionRequest.create",
  "PUT /organization": "organization.update",
  "PATCH /organization/{o}/trackingArea": "organization.update",
  "POST /administrator/bindadministrator": "permission.create",
  "POST /administrator/createadministrator": "permission.create",
  "POST /administrator/unbindadministrator": "permission.remove",
  "PATCH /administrator/updatepermission": "permission.update",
  "POST /import/organization/{o}/places": "import",
  "POST /place": "place.create",
  "DELETE /place/{p}": "place.remove",
  "PUT /place": "place.update",
  "POST /operator/organization": "organization.create",
  "POST /operator/organization/{o}/import/accesses": "import",
  "PUT /operator/organization/{o}/constraint": "organization.update",
  "POST /device/organization/{o}": "device.create",
  "POST /device/{d}/token": "device.token",
  "DELETE /device/{d}": "device.remove",
  "PUT /presence/organization/{o}/counted": "counted.correct",
  "PUT /presence/place/{p}/counted": "counted.correct",
  "PUT /operator/organization/{o}/policy": "policy.update",
  "POST /operator/administrator": "administrator.create",
  "POST /operator/organization/{o}/administrator": "permission.create",
  "POST /operator/token/revoke": "token.revoke",
  "POST /administrator/signout": "token.revoke",
  "POST /operator/deletionrequest/{r}/approve": "deletionRequest.approve",
  "POST /operator/deletionrequest/{r}/reject": "deletionRequest.reject",
  "POST /operator/personaldata/erase": "personalData.erase",
  "PUT /capacity/organization/{o}": "capacity.update",
  "PUT /capacity/place/{p}": "capacity.update",
  // Nobody is inside.
  "POST /record/organization/{o}/end": undefined,
  "POST /record/place/{p}/end": undefined,
  "POST /record/organization/{o}/clear": undefined,
  "POST /record/place/{p}/clear": undefined,
  "POST /muster/organization/{o}": "muster.start",
  "POST /muster/{m}/safe": "muster.safe",
  // Nobody is marked.
  "POST /muster/{m}/missing": undefined,
  "POST /muster/{m}/swept": "muster.swept",
  "POST /muster/{m}/end": "muster.end",
  "POST /webhook/organization/{o}": "webhook.create",
  "DELETE /webhook/{w}": "webhook.remove",
  // It is enabled.
  "POST /webhook/{w}/enable": undefined,
  "POST /webhook/{w}/secret": "webhook.secret",
  "POST /webhook/{w}/test": "webhook.test"
}

/** Readings of people that are no GET. */
const READINGS = ["POST /operator/personaldata/export", "POST /authenticationserver/userinformation"]

/** A request that was answered, as the audit should know it. */
interface Answered {
  readonly requestId: string
  readonly ask: string
  readonly column: (typeof COLUMNS)[number]
  readonly caller: Bearer | string | undefined
  readonly status: number
}

const answered: Array<Answered> = []

/** The organization that a cell is about, with all callers. Cells that change something get a new one. */
interface World {
  readonly organization: { readonly id: number }
  readonly anonymous: { readonly id: number }
  readonly place: { readonly id: number }
  /** A place of the anonymous organization. */
  readonly hall: { readonly id: number }
  readonly organizationToken: string
  readonly placeToken: string
  readonly callers: Readonly<Record<Column, Bearer | string | undefined>>
  readonly helper: Bearer
}

const founder = (): Bearer => {
  const id = unique("founder")
  return sojourn.administrator(id, `${id}@example.test`)
}

const makeWorld = async (): Promise<World> => {
  const [owner, foreign, unbound] = [founder(), founder(), founder()]
  const owned = (by: Bearer, over: object = {}) =>
    fixtures.organization({ owner: { administratorId: by.id, mail: by.mail }, ...over })
  const organization = await owned(owner, { trackingMode: "authenticated", authenticationServerURL: DEMO_SERVER })
  const anonymous = await owned(owner)
  await owned(foreign)
  want(await fixtures.get(unbound, `/administrator/permission/${unbound.id}`), 204)

  const bound = async (level: "viewer" | "manager") => {
    const administrator = founder()
    want(await fixtures.get(administrator, `/administrator/permission/${administrator.id}`), 204)
    const binding = { organizationId: organization.id, administratorId: administrator.id, permission: level }
    want(await fixtures.post(owner, "/administrator/bindadministrator", binding), 201)
    return administrator
  }
  const [viewer, manager, helper] = [await bound("viewer"), await bound("manager"), await bound("viewer")]

  const area = { organizationId: organization.id, trackingArea: square(0) }
  const place = want(await fixtures.post(owner, "/place", area), 201).json
  const hall = want(
    await fixtures.post(owner, "/place", { organizationId: anonymous.id, trackingArea: square(0) }),
    201
  ).json
  const linked = await fixtures.linked(organization.id, "ada", sojourn.user(unique("linked")))
  const user = sojourn.user(unique("user"))
  for (const [kind, id] of [
    ["organization", organization.id],
    ["place", place.id]
  ] as const) {
    await fixtures.stay(linked, { kind, id, organizationId: organization.id })
  }
  const stayAt = (kind: "organization" | "place", id: number) =>
    fixtures.stay(user, { kind, id, organizationId: anonymous.id })
  const tokens = {
    organizationToken: await stayAt("organization", anonymous.id),
    placeToken: await stayAt("place", hall.id)
  }
  const device = async (kind: "display" | "counter"): Promise<Bearer> => {
    const draft = { name: "Hall", premises: [{ organization: true }], kind }
    const { token } = want(await fixtures.post(owner, `/device/organization/${organization.id}`, draft), 201).json
    return { id: kind, mail: "", token }
  }
  const [display, counter] = [await device("display"), await device("counter")]
  const callers = {
    public: undefined,
    user,
    linked,
    unbound,
    viewer,
    manager,
    owner,
    foreign,
    operator,
    display,
    counter
  }
  return { organization, anonymous, place, hall, ...tokens, callers, helper }
}

const requestOf = async ({ organization, callers }: World) =>
  (await fixtures.requestDeletion(organization.id, callers.owner as Bearer)).id

/** The open muster of the organization, which is started where there is none. */
const musterOf = async ({ organization: { id }, callers: { owner } }: World) => {
  await fixtures.post(owner as Bearer, `/muster/organization/${id}`, { kind: "drill" })
  return want(await fixtures.get(owner as Bearer, `/muster/organization/${id}`), 200).json[0].musterId
}

/** The webhook of the organization, which is created where there is none. */
const webhookOf = async ({ organization: { id }, callers: { owner } }: World) => {
  const path = `/webhook/organization/${id}`
  const { status, json } = await fixtures.get(owner as Bearer, path)
  if (status === 200) return json[0].webhookId
  return want(await fixtures.post(owner as Bearer, path, { url: "https://hooks.example.org/" }), 201).json.webhookId
}

/** A new device of the organization. */
const deviceOf = async ({ organization: { id }, callers: { owner } }: World) => {
  const draft = { name: "Door", premises: [{ organization: true }] }
  return want(await fixtures.post(owner as Bearer, `/device/organization/${id}`, draft), 201).json.deviceId
}

/** The cell of a table: a caller, and the resource of its row. */
interface Cell {
  readonly world: World
  readonly caller: Bearer | string | undefined
  readonly resource: string
}

const unlessMissing =
  (value: (world: World) => unknown) =>
  ({ world, resource }: Cell) =>
    resource === "missing" ? NOWHERE : value(world)

/** The placeholders of paths. */
const PLACEHOLDERS: Readonly<Record<string, (cell: Cell) => unknown>> = {
  o: unlessMissing(({ organization }) => organization.id),
  p: unlessMissing(({ place }) => place.id),
  a: unlessMissing(({ anonymous }) => anonymous.id),
  h: unlessMissing(({ hall }) => hall.id),
  m: unlessMissing(musterOf),
  w: unlessMissing(webhookOf),
  d: unlessMissing(deviceOf),
  r: unlessMissing(requestOf),
  token: ({ world }) => world.organizationToken,
  hallToken: ({ world }) => world.placeToken,
  people: ({ resource }) => (resource === "missing" ? "ada" : resource),
  id: ({ caller, resource }) =>
    resource === "theirs" ? encodeURIComponent((caller as Bearer | undefined)?.id ?? "nobody") : "somebody-else",
  today: () => TODAY,
  window: () => WINDOW
}

const pathOf = async (template: string, cell: Cell) => {
  let path = template
  for (const [placeholder, name] of template.matchAll(/\{(\w+)\}/g)) {
    path = path.replace(placeholder, String(await PLACEHOLDERS[name!]!(cell)))
  }
  return path
}

/** What has to exist before a list is read. */
const LISTED: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  "GET /muster/organization/{o}": musterOf,
  "GET /device/organization/{o}": deviceOf,
  "GET /webhook/organization/{o}": webhookOf,
  "GET /operator/deletionrequest": requestOf
}

/** The ids that bodies name. */
interface Ids {
  readonly organizationId: number
  readonly placeId: number
  /** An administrator whom the organization binds, or an unknown one. */
  readonly administratorId: string
}

/** The bodies of requests. */
const BODIES: Readonly<Record<string, (ids: Ids, cell: Cell) => object | Promise<object>>> = {
  "POST /import/organization/{o}/places": () => ({
    type: "FeatureCollection",
    features: [{ type: "Feature", properties: {}, geometry: JSON.parse(square(9)) }]
  }),
  "POST /organization/requestdeletion": ({ organizationId }) => ({ organizationId }),
  "PUT /organization": ({ organizationId: id }) => ({ id, description: unique("text") }),
  "POST /administrator/bindadministrator": async ({ organizationId, administratorId: unknown }, { resource }) => {
    const administratorId = resource.includes(",") ? unknown : unique("bound")
    const account = { administratorId, mail: `${administratorId}@example.test` }
    if (!resource.includes(",")) want(await fixtures.post(operator, "/operator/administrator", account), 201)
    return { organizationId, administratorId, permission: "viewer" }
  },
  "POST /administrator/createadministrator": ({ organizationId }) => ({
    organizationId,
    mail: `${unique("created")}@example.test`,
    permission: 1
  }),
  "POST /administrator/unbindadministrator": ({ organizationId, administratorId }) => ({
    organizationId,
    administratorId,
    permission: 1
  }),
  "PATCH /administrator/updatepermission": ({ organizationId, administratorId }) => ({
    organizationId,
    administratorId,
    permission: 2
  }),
  "POST /device/organization/{o}": () => ({ name: "Door", premises: [{ organization: true }] }),
  "POST /device/count": () => ({ readings: [{ organization: true, epoch: "a", in: 1, out: 0 }] }),
  "PUT /presence/organization/{o}/counted": () => ({ counted: 3 }),
  "PUT /presence/place/{p}/counted": () => ({ counted: 3 }),
  "POST /place": ({ organizationId }) => ({ organizationId, trackingArea: square(9) }),
  "PUT /place": ({ placeId: id }) => ({ id, name: unique("place") }),
  "POST /favorite/addfavorite": ({ organizationId }) => ({ organizationId }),
  "POST /favorite/removefavorite": ({ organizationId }, { resource }) => ({
    organizationId,
    ...(resource === "another's" && { userId: "somebody-else" })
  }),
  "POST /movement/track/organization": ({ organizationId }) => ({
    movementType: 1,
    organizationId,
    timestamp: at(-10)
  }),
  "POST /movement/track/place": ({ placeId }) => ({ movementType: 1, placeId }),
  "POST /authenticationserver/userinformation": ({ organizationId }) => ({
    organizationId,
    organizationCredentials: { username: "ada", password: DEMO_PASSWORD },
    orgAuthServerIds: ["ada"]
  }),
  "POST /authenticationserver/link": ({ organizationId }, { world, caller }) => ({
    organizationId,
    username: caller === world.callers.linked ? "ada" : "grace",
    password: DEMO_PASSWORD
  }),
  "POST /operator/organization": () => fixtures.draft(),
  "POST /operator/organization/{o}/administrator": async () => {
    const administratorId = unique("bound")
    const account = { administratorId, mail: `${administratorId}@example.test` }
    want(await fixtures.post(operator, "/operator/administrator", account), 201)
    return { administratorId, permission: "owner" }
  },
  "POST /operator/token/revoke": () => ({ kind: "user", id: unique("revoked"), issuedBefore: at(-60) }),
  "PUT /operator/organization/{o}/constraint": () => ({ maxArea: 1e12 }),
  "PUT /operator/organization/{o}/policy": () => ({ retention: 86_400 }),
  "POST /operator/administrator": () => {
    const administratorId = unique("registered")
    return { administratorId, mail: `${administratorId}@example.test` }
  },
  "POST /operator/personaldata/export": ({ organizationId }) => ({ organizationId, orgAuthServerId: "ada" }),
  "POST /operator/personaldata/erase": ({ administratorId }) => ({ administratorId }),
  "POST /record/organization/{o}/end": () => ({ orgAuthServerIds: ["ada"] }),
  "POST /record/place/{p}/end": () => ({ orgAuthServerIds: ["ada"] }),
  "POST /record/organization/{o}/clear": () => ({ places: true }),
  "PUT /capacity/organization/{o}": () => ({ capacity: 250 }),
  "PUT /capacity/place/{p}": () => ({ capacity: 250 }),
  "POST /muster/organization/{o}": () => ({ kind: "drill" }),
  "POST /muster/{m}/safe": () => ({ orgAuthServerIds: ["ada"] }),
  "POST /muster/{m}/missing": () => ({ orgAuthServerIds: ["ada"] }),
  "POST /muster/{m}/swept": ({ placeId }) => ({ placeId, swept: true }),
  "POST /webhook/organization/{o}": () => ({ url: "https://hooks.example.org/" }),
  "POST /webhook/{w}/replay": () => ({ fromVersion: 9_999_999 })
}

const sentOf = async (ask: string, cell: Cell): Promise<Sent> => {
  if (ask.startsWith("PATCH /organization/")) return { form: { trackingArea: LARGER_GROUNDS } }
  const { world, resource } = cell
  const organization = resource === "anonymous" ? world.anonymous : world.organization
  const ids = {
    organizationId: resource === "missing" ? NOWHERE : organization.id,
    placeId: resource === "missing" ? NOWHERE : world.place.id,
    administratorId: resource.includes(",") ? "nobody-at-all" : world.helper.id
  }
  if (ask.endsWith("/accesses")) {
    const row = [at(-20), at(-10), "ada"].join()
    return { body: `entranceTimestamp,exitTimestamp,orgAuthServerId\n${row}`, type: "text/csv" }
  }
  return { json: await BODIES[ask]?.(ids, cell) }
}

interface Row {
  readonly ask: string
  readonly resource: string
  readonly expected: ReadonlyArray<number>
}

const rowsOf = (table: string): ReadonlyArray<Row> =>
  table
    .split("\n")
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => {
      const [method = "", name = "", resource = "", ...cells] = line.split(/\s+/)
      return { ask: `${method} ${name}`, resource, expected: cells.map(Number) }
    })

/** Rows whose requests change nothing for any caller; they share one organization. */
const isRead = ({ ask }: Row): boolean => ask.startsWith("GET ") && !ask.includes("deletionrequest")

const check = async (row: Row, shared: World) => {
  const [method, template] = row.ask.split(" ") as [string, string]
  const verdicts: Array<string> = []
  for (const [i, column] of COLUMNS.entries()) {
    const expected = row.expected[i]!
    // A refused request changes nothing, so the next caller can use the same organization.
    const world = isRead(row) || expected >= 400 ? shared : await makeWorld()
    const caller = world.callers[column]
    const cell = { world, caller, resource: row.resource }
    await LISTED[row.ask]?.(world)
    const [path, sent] = [await pathOf(template, cell), await sentOf(row.ask, cell)]
    const credentials = column === "public" ? [undefined, "Bearer nonsense", "Basic dXNlcjpwYXNz"] : [caller]
    for (const who of expected === 401 || column !== "public" ? credentials : [undefined]) {
      const requestId = unique("request")
      const { status } = await call(who, method, path, { ...sent, headers: { "x-request-id": requestId } })
      answered.push({ requestId, ask: row.ask, column, caller: who, status })
      if (status !== expected) verdicts.push(`${column}: ${expected} expected, ${status} answered`)
    }
  }
  expect(verdicts).toEqual([])
}

describe.each([
  ["the interface", INTERFACE],
  ["its extensions", EXTENSIONS]
])("authorization: %s", async (_, table) => {
  const shared = await makeWorld()
  it.each(rowsOf(table))("$ask ($resource)", (row) => check(row, shared))
})

/** All entries of the audit, the newest first. */
const entries = async () => {
  const all: Array<any> = []
  for (let next: string | undefined = ""; next !== undefined;) {
    const after: string = next === "" ? "" : `&after=${next}`
    const page = want(await call(operator, "GET", `/operator/audit?${WINDOW}&limit=1000${after}`), 200).json
    all.push(...page.entries)
    next = page.next
  }
  return all
}

/** What the audit should hold of a request: the actions of its entries, or one reading at most. */
const expectedActions = ({ ask, column, status }: Answered): ReadonlyArray<string> | "readings" => {
  if (status >= 400 || ["public", "user", "linked", "display", "counter"].includes(column)) return []
  if (ask.startsWith("GET ") || READINGS.includes(ask)) return "readings"
  if (!(ask in ACTIONS)) throw new Error(`${ask} has no action in the audit`)
  return ACTIONS[ask] === undefined ? [] : [ACTIONS[ask]]
}

describe("the audit", () => {
  it("has one entry of each change by its caller, and none of a refusal", async () => {
    const byRequest = Map.groupBy(await entries(), ({ requestId }) => requestId)
    const wrong: Array<string> = []
    for (const request of answered) {
      const found = byRequest.get(request.requestId) ?? []
      const expected = expectedActions(request)
      const actions = found.map(({ action }) => action)
      const isRight =
        expected === "readings"
          ? actions.length <= 1 && actions.every((action) => action === "person.read")
          : String(actions) === String(expected)
      if (!isRight) wrong.push(`${request.ask}, ${request.column}: ${expected} expected, ${actions} found`)
      const kind = request.column === "operator" ? "operator" : "administrator"
      for (const { actor } of found) expect(actor).toEqual({ kind, id: (request.caller as Bearer).id })
    }
    expect(wrong).toEqual([])
    expect(answered.length).toBeGreaterThan(1_000)
    const isReading = ({ requestId }: Answered) => byRequest.get(requestId)?.[0].action === "person.read"
    expect([...new Set(answered.filter(isReading).map(({ ask }) => ask))].sort()).toEqual([
      "GET /access/organization/{o}/authenticated/{people}",
      "GET /access/place/{p}/authenticated/{people}",
      "GET /report/place/{p}",
      "POST /authenticationserver/userinformation",
      "POST /operator/personaldata/export"
    ])
  })
})

describe("the table", () => {
  it("has a status in every cell, and a row for every endpoint", async () => {
    const rows = [...rowsOf(INTERFACE), ...rowsOf(EXTENSIONS)]
    for (const { ask, expected } of rows) expect(expected, ask).toHaveLength(COLUMNS.length)
    const { paths } = want(await call(undefined, "GET", "/openapi.json"), 200).json
    const operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "{}")}`)
    )
    const covered = new Set(rows.map(({ ask }) => ask.replace(/\?.*/, "").replaceAll(/\{\w+\}/g, "{}")))
    // A stream does not end, images are no JSON, and a sign-in has no credentials: they have tests of their own.
    expect(operations.filter((one) => !covered.has(one))).toEqual([
      "GET /presence/stream",
      "PUT /floorplan/organization/{}",
      "GET /floorplan/organization/{}",
      "DELETE /floorplan/organization/{}",
      "POST /authentication/token"
    ])
    expect(new Set(rowsOf(INTERFACE).map(({ ask }) => ask)).size, "the interface has 28 endpoints").toBe(28)
  })
})
