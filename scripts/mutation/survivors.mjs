/**
 * The changes that no test notices, each with the reason: in `file` the text `right` (on a line that holds `on`, where the text
 * alone is not enough) may become `wrong`. Either may be several, each of which may become each: no more of them share an entry than
 * are harmless together. `npm run mutation` refuses a survivor that is not here, and an entry that no survivor has any more.
 */
const domain = (file) => `packages/core/src/domain/${file}.ts`
const service = (file) => `packages/core/src/services/${file}.ts`

export const survivors = [
  {
    file: domain("AuthenticationServerUrl"),
    right: '""',
    on: '] ?? ""',
    wrong: '"Stryker was here!"',
    why: "A text that matched has this part: the default is for the compiler."
  },
  {
    file: domain("AuthenticationServerUrl"),
    right: "match[1]?.startsWith",
    wrong: "match[1].startsWith",
    why: "The same."
  },
  {
    file: domain("AuthenticationServerUrl"),
    right: "/^\\[|\\]$/g",
    wrong: ["/\\[|\\]$/g", "/^\\[|\\]/g"],
    why: "Brackets stand nowhere but at the ends of a host that matched."
  },
  {
    file: domain("ExitToken"),
    right: ["{ length: TOKEN_LENGTH }", "() => 0"],
    wrong: ["{}", "() => undefined"],
    why: "Each code is written before it is read: the length is there so that the array never grows."
  },
  {
    file: domain("Ids"),
    right: "i < text.length",
    wrong: "i <= text.length",
    why: "Behind the end there is no code unit: NaN counts as none."
  },
  {
    file: domain("InternetAddress"),
    right: '""',
    on: "halves[0]",
    wrong: '"Stryker was here!"',
    why: "A text that is split has a first part: the default is for the compiler."
  },
  {
    file: domain("InternetAddress"),
    right: "[0, 0, 0, 0]",
    wrong: "[]",
    why: "What a prefix does not say is 0."
  },
  {
    file: domain("InternetAddress"),
    right: "[]",
    on: "compatible",
    wrong: '["Stryker was here"]',
    why: "The bits of a text are 0, as those of an empty prefix are."
  },
  {
    file: domain("Stay"),
    right: "claim.timestamp !== undefined",
    wrong: "true",
    why: "Nothing is later than anything: the check is for the compiler."
  },
  {
    file: domain("StayPolicy"),
    right: "seconds !== undefined",
    wrong: "true",
    why: "Nothing is more than nothing: the check is for the compiler."
  },
  {
    file: domain("Timestamp"),
    right: '(offsetHours * 60 + offsetMinutes) * 60_000 * (match[8] === "-" ? -1 : 1)',
    wrong: '(offsetHours * 60 + offsetMinutes) * 60_000 / (match[8] === "-" ? -1 : 1)',
    why: "To divide by 1 or -1 is to multiply with it."
  },
  {
    file: domain("Timestamp"),
    right: "day !== written.day",
    wrong: "true",
    why: "The text of the last day is kept for speed alone."
  },
  {
    file: domain("Timestamp"),
    right: '{ day: 0, text: "1970-01-01T" }',
    wrong: "{}",
    why: "A day that is not kept is written anew: what is kept is for speed alone."
  },
  {
    file: domain("AreaConstraints"),
    right: "maxArea === undefined",
    wrong: "false",
    why: "Nothing is larger than nothing: the check is for the compiler."
  },
  {
    file: domain("geometry/Area"),
    right: "[]",
    on: "[shell = []",
    wrong: '["Stryker was here"]',
    why: "A part has a shell: the default is for the compiler."
  },
  {
    file: domain("geometry/Area"),
    right: "Math.abs(toLat - fromLat) / LONGEST_PIECE",
    wrong: "Math.abs(toLat - fromLat) * LONGEST_PIECE",
    why: "More pieces than are needed give the same sum, later."
  },
  {
    file: domain("geometry/Area"),
    right: "meanBand += (weight / 2) * bandBetween(middle + (node * step) / 2, reference)",
    wrong: "meanBand -= weight / 2 * bandBetween(middle + node * step / 2, reference)",
    why: "The sign of a ring's area is dropped."
  },
  {
    file: domain("geometry/Area"),
    right: "middle + (node * step) / 2",
    wrong: "middle - node * step / 2",
    why: "The nodes lie evenly on both sides."
  },
  {
    file: domain("geometry/Area"),
    right: "ring[0]?.[1]",
    wrong: "ring[0][1]",
    why: "A ring has a first position: the check is for the compiler."
  },
  {
    file: domain("geometry/Area"),
    right: "sum + areaUnder(ring[i - 1]!, to, reference)",
    wrong: "sum - areaUnder(ring[i - 1]!, to, reference)",
    why: "The sign of a ring's area is dropped."
  },
  {
    file: domain("geometry/Border"),
    right: "corners.length > 1",
    wrong: "corners.length >= 1",
    why: "A ring of one corner has too few, and so has one of none."
  },
  {
    file: domain("geometry/Border"),
    right: [
      "sideOf(ax, ay, bx, by, cx, cy) * sideOf(ax, ay, bx, by, dx, dy) < 0",
      "sideOf(cx, cy, dx, dy, ax, ay) * sideOf(cx, cy, dx, dy, bx, by) < 0"
    ],
    wrong: [
      "sideOf(ax, ay, bx, by, cx, cy) * sideOf(ax, ay, bx, by, dx, dy) <= 0",
      "sideOf(cx, cy, dx, dy, ax, ay) * sideOf(cx, cy, dx, dy, bx, by) <= 0"
    ],
    why: "It differs where an end of one edge lies on the other: these touch, and are not asked whether they cross, or are refused for either."
  },
  {
    file: domain("geometry/Border"),
    right: "sideOf(ax[e]!, ay[e]!, bx[e]!, by[e]!, x, y) > 0",
    wrong: "sideOf(ax[e]!, ay[e]!, bx[e]!, by[e]!, x, y) >= 0",
    why: "The position lies on no edge, and so on one side of it."
  },
  {
    file: domain("geometry/Border"),
    right: [
      "ax[e]! < x && bx[e]! < x",
      "ax[e]! < x",
      "bx[e]! < x",
      "ax[e]! > x && bx[e]! > x",
      "ax[e]! > x",
      "bx[e]! > x"
    ],
    wrong: ["false", "ax[e]! <= x", "bx[e]! <= x", "ax[e]! >= x", "bx[e]! >= x"],
    why: "The position lies on no edge, so that the side alone decides: edges in the west and in the east are told apart to save time."
  },
  {
    file: domain("geometry/Bounds"),
    right: "[]",
    on: "[shell = []",
    wrong: '["Stryker was here"]',
    why: "A part has a shell: the default is for the compiler."
  },
  {
    file: domain("geometry/Position"),
    right: ["(px - qx) ** 2 + (py - qy) ** 2 < NEAR", "x * x + y * y < NEAR"],
    wrong: ["(px - qx) ** 2 + (py - qy) ** 2 <= NEAR", "x * x + y * y <= NEAR"],
    why: "No test can construct a distance in binary fractions that is exactly this."
  },
  {
    file: domain("geometry/Relation"),
    right: "meetings.isMeeting(piece.from)",
    wrong: "true",
    why: "Every piece of a chain tells what its first one tells: to ask one of them saves time."
  },
  {
    file: domain("geometry/Relation"),
    right: "true",
    on: "told = true",
    wrong: "false",
    why: "Every piece of a chain tells what its first one tells: to ask one of them saves time."
  },
  {
    file: domain("geometry/Shape"),
    right: "[]",
    on: "toNumber(point.long)",
    wrong: '["Stryker was here"]',
    why: "A point that is no object lacks its latitude all the same, and is refused for it."
  },
  {
    file: domain("geometry/Validity"),
    right: "to > 0",
    wrong: "to >= 0",
    why: "The first position ends no edge: the search never finds it."
  },
  {
    file: domain("geometry/Validity"),
    right: "order <= 0",
    wrong: "order < 0",
    why: "Two edges never begin at one position of one ring."
  },
  {
    file: service("Accesses"),
    right: "stay.orgAuthServerId === undefined",
    wrong: "false",
    why: "The stays of people that a store answers have a person: the check is for the compiler."
  },
  {
    file: service("Accesses"),
    right: "[]",
    on: "stay.orgAuthServerId === undefined",
    wrong: '["Stryker was here"]',
    why: "The same: it never comes to that."
  },
  {
    file: service("Accesses"),
    right: "exitToken !== undefined",
    wrong: "true",
    why: "A store answers stays that it was asked for: the check is for the compiler."
  },
  {
    file: service("Administrators"),
    right: ['"Grant"', '"ChangeLevel"'],
    wrong: '""',
    why: "Does not compile. The store in memory keeps every permission that is not withdrawn."
  },
  {
    file: service("Administrators"),
    right: ["{ administratorId }", "{ administratorId: update.administratorId }"],
    on: "administrator:",
    wrong: "{}",
    why: "Unbinding and levels are decided on permissions alone: that the account is looked for as well changes nothing."
  },
  {
    file: service("Movements"),
    right: "exit.orgAuthServerId === undefined",
    wrong: "false",
    why: "Who claims nothing claims nothing false: the check spares the store a reading."
  },
  {
    file: service("Movements"),
    right: 'failure._tag === "ExitNotMatched"',
    wrong: "true",
    why: "Of an exit that is refused for anything else the store has found the claim to be true: it would be looked up in vain."
  },
  {
    file: service("Organizations"),
    right: "trackingArea !== undefined",
    wrong: "true",
    why: "The store then reads places that are not needed: it is for speed alone."
  },
  {
    file: service("Organizations"),
    right: "false",
    on: "withPlaces",
    wrong: "true",
    why: "The same."
  },
  {
    file: service("Organizations"),
    right: ['"OrganizationNameTaken"', "(unthinkable) => Effect.die(unthinkable)"],
    wrong: ['""', "() => undefined"],
    why: "A constraint changes no name, so no store finds it taken: the branch is for the compiler."
  }
]
