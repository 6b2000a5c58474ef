/** The texts in English, which are part of the first load: every other language has the same keys. */
const en = {
  direction: "ltr" as "ltr" | "rtl",
  title: "Sojourn",
  signIn: "Sign in",
  signOut: "Sign out",
  signOutEverywhere: "Sign out everywhere",
  signOutEverywhereSure: "Sign out everywhere? All tokens of yours stop working, on all devices.",
  userName: "Mail address or id",
  password: "Password",
  token: "Access token",
  withPassword: "With user name and password",
  withToken: "With an access token",
  keepSession: "Stay signed in while this tab is open",
  signInWrong: "User name or password is wrong.",
  signInElsewhere: "This server takes no passwords. Sign in with an access token.",
  signInDelayed: "Too many attempts. Try again later.",
  tokenWrong: "This is not an access token.",
  sessionEnded: "The session has ended. Sign in again.",
  skipToContent: "Skip to content",
  chooseLanguage: "Language",

  loading: "Loading ...",
  tryAgain: "Try again",
  notReached: "The server was not reached.",
  refused: (status: number) => `The server refused (${status}).`,
  // The server speaks English.
  problem: (_type: string, detail: string) => detail,
  reloadPage: "This part of the page could not be loaded. Reload the page.",

  connecting: "Connecting ...",
  live: "Live",
  lost: (time: string) => `Connection lost. The numbers are from ${time}. Trying again ...`,
  replaced: (time: string) =>
    `You opened too many pages, and a newer one replaced this one. The numbers are from ${time}. Trying again in a minute or two ...`,
  stale: "The server's database is away. The numbers may be old.",

  organizations: "Organizations",
  noOrganizations: "You are not an administrator of any organization.",
  goneForbidden: (name: string) => `Your permission for ${name} was withdrawn.`,
  goneDeleted: (name: string) => `${name} was deleted.`,
  permission: { viewer: "viewer", manager: "manager", owner: "owner" },

  whole: "Whole organization",
  inside: "inside",
  insideOf: (count: string) => `${count} inside`,
  left: "left",
  capacity: "Capacity",
  state: "State",
  level: { none: "no capacity", normal: "normal", warning: "nearly full", full: "full", over: "over capacity" },
  map: "Map of the areas",
  places: "Places",
  place: "Place",
  inParts: (count: string) => `${count} in its parts`,
  partsHint:
    "“In its parts” adds up the counts of all places inside. It is no number of people: in a room and on its floor, one person counts twice.",
  showParts: (name: string) => `Show the parts of ${name}`,
  hideParts: (name: string) => `Hide the parts of ${name}`,

  sortBy: "Sort by",
  orders: { given: "Order of the map", name: "Name", fullness: "Fullness" },
  closeDetails: (name: string) => `Close ${name}`,

  history: "History",
  ranges: { day: "Today", week: "7 days", quarter: "90 days" },
  noHistory: "There is no history yet.",
  historySummary: (least: string, most: string, average: string) =>
    `Between ${least} and ${most} inside, ${average} on average`,
  historyBegan: (time: string) => `since counting began on ${time}`,
  now: "Now",
  weekBefore: "A week earlier",
  busiestHours: "Busiest hours",
  historyKey: "The line is the average, the area is from the least to the most.",

  whoIsInside: "Who is inside",
  search: "Search",
  allOut: "All out",

  muster: "Muster",
  drill: "Drill",
  evacuation: "Evacuation",
  start: "Start",
  end: "End the muster",
  print: "Print",
  downloadCsv: "Download as CSV",
  musterOpen: (kind: string, time: string) => `${kind} since ${time}`,
  printedAt: (time: string) => `Printed ${time}`,
  toMuster: "Show the muster",

  counted: "People counted",
  countedShare: (counted: string, stays: string) => `${counted} counted by devices, ${stays} with a visit of their own`,

  devices: "Devices",

  overview: "Overview",

  areas: "Areas",
  deleted: (name: string) => `${name} was deleted.`,
  cancel: "Cancel",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  showAll: "Show everything",
  floor: (level: string) => `Level ${level}`,
  floorLevel: "Level",
  west: "West",
  south: "South",
  east: "East",
  north: "North",
  rotation: "Rotation in degrees, clockwise",

  previousPage: "Previous page",
  nextPage: "Next page",

  row: "Row",
  organizationId: "Organization's id",

  signInWith: (issuer: string) => `Sign in with ${issuer}`,
  issuerRefused: (reason: string) => `The sign-in did not succeed (${reason}).`,
  issuerToken: "The issuer gave no token that this page can use.",
  issuerNotReached: "The issuer was not reached, or does not allow this page.",

  people: "People",
  name: "Name",
  noRows: "There is nothing to show.",

  changes: "Changes",
  // The session that ended over what is open.
  staysOpen: "What is open stays as it is.",
  notForOpen: "This administrator may not see what is open here. Sign in as another one, or sign out.",

  // A day that is replayed, and what a day had.
  timeOfDay: "Time of day",
  day: "Day",
  busiest: "Busiest",
  play: "Play",
  pause: "Pause",
  replayKeys: "Arrow keys go by a minute, Page up and Page down by an hour. Enter leads to the buttons.",
  usualOn: (weekday: string) => `Usual on ${weekday}s: the least, the middle and the most of the last weeks`,
  usualAt: (time: string, least: string, middle: string, most: string) =>
    `${time}: usually ${least} to ${most} inside, ${middle} in the middle`,
  visits: (day?: string) => (day === undefined ? "Visits today" : `Visits on ${day}`),
  averageStay: "Average stay",
  peak: "Peak",
  timesIn: (zone: string) => `Days and times are those of ${zone}.`,

  // The board.
  board: "Board",

  // The bar at the side and the first sight
  navigation: "Navigation",
  records: "Records",
  team: "People",
  settings: "Settings",
  stays: "Visits",
  signedInAs: "Signed in",
  loadingLong: "Loading ... This takes longer than usual. Trying again by itself.",
  notThere: (id: string) => `There is no organization ${id}, or it is not yours.`,
  ofCapacity: (capacity: string) => `of ${capacity} inside`,
  countedBefore: (inside: string, counted: string, stays: string) =>
    `${inside} a moment ago: ${counted} by devices, ${stays} with a visit of their own`,
  attention: "Needs attention",
  silent: (count: string) => `Silent devices: ${count}`,
  noPlaces: "There are no places yet",
  noPlacesHint: "Places are rooms, floors or grounds that people are counted in. Managers draw them on the map.",
  drawFirst: "Draw the first place"
}

export type Words = typeof en

export default en
