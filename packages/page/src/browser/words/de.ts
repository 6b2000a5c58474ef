/** The texts in German. */
import type { Words } from "./en.ts"
import problems from "./problems/de.ts"
import { problemOf } from "./problems/problemOf.ts"

const de: Words = {
  direction: "ltr",
  title: "Sojourn",
  signIn: "Anmelden",
  signOut: "Abmelden",
  signOutEverywhere: "Überall abmelden",
  signOutEverywhereSure: "Überall abmelden? Alle Ihre Token gelten nicht mehr, auf keinem Gerät.",
  userName: "E-Mail-Adresse oder Kennung",
  password: "Passwort",
  token: "Zugangstoken",
  withPassword: "Mit Benutzername und Passwort",
  withToken: "Mit einem Zugangstoken",
  keepSession: "Angemeldet bleiben, solange dieser Tab offen ist",
  signInWrong: "Benutzername oder Passwort ist falsch.",
  signInElsewhere: "Dieser Server nimmt keine Passwörter an. Melden Sie sich mit einem Zugangstoken an.",
  signInDelayed: "Zu viele Versuche. Versuchen Sie es später wieder.",
  tokenWrong: "Das ist kein Zugangstoken.",
  sessionEnded: "Die Sitzung ist beendet. Melden Sie sich wieder an.",
  skipToContent: "Zum Inhalt springen",
  chooseLanguage: "Sprache",

  loading: "Wird geladen ...",
  tryAgain: "Erneut versuchen",
  notReached: "Der Server wurde nicht erreicht.",
  refused: (status) => `Der Server hat abgelehnt (${status}).`,
  problem: (type) => problemOf(problems, type),
  reloadPage: "Dieser Teil der Seite konnte nicht geladen werden. Laden Sie die Seite neu.",

  connecting: "Verbindung wird aufgebaut ...",
  live: "Live",
  lost: (time) => `Verbindung verloren. Die Zahlen sind von ${time}. Neuer Versuch ...`,
  replaced: (time) =>
    `Zu viele Seiten sind offen, und eine neuere hat diese ersetzt. Die Zahlen sind von ${time}. Neuer Versuch in ein bis zwei Minuten ...`,
  stale: "Die Datenbank des Servers ist nicht erreichbar. Die Zahlen können veraltet sein.",

  organizations: "Organisationen",
  noOrganizations: "Sie sind in keiner Organisation Administrator.",
  goneForbidden: (name) => `Ihre Berechtigung für ${name} wurde entzogen.`,
  goneDeleted: (name) => `${name} wurde gelöscht.`,
  permission: { viewer: "lesend", manager: "verwaltend", owner: "Eigentümer" },

  whole: "Ganze Organisation",
  inside: "anwesend",
  insideOf: (count) => `${count} anwesend`,
  left: "gegangen",
  capacity: "Kapazität",
  state: "Zustand",
  level: { none: "ohne Kapazität", normal: "normal", warning: "fast voll", full: "voll", over: "überfüllt" },
  map: "Karte der Bereiche",
  places: "Orte",
  place: "Ort",
  inParts: (count) => `${count} in den Teilen`,
  partsHint:
    "„In den Teilen“ zählt alle Orte darin zusammen. Das ist keine Zahl von Personen: Im Raum und auf seiner Ebene zählt eine Person zweimal.",
  showParts: (name) => `Teile von ${name} zeigen`,
  hideParts: (name) => `Teile von ${name} verbergen`,

  sortBy: "Sortieren nach",
  orders: { given: "Reihenfolge der Karte", name: "Name", fullness: "Auslastung" },
  closeDetails: (name) => `${name} schließen`,

  history: "Verlauf",
  ranges: { day: "Heute", week: "7 Tage", quarter: "90 Tage" },
  noHistory: "Es gibt noch keinen Verlauf.",
  historySummary: (least, most, average) => `Zwischen ${least} und ${most} anwesend, im Mittel ${average}`,
  historyBegan: (time) => `seit die Zählung am ${time} begann`,
  now: "Jetzt",
  weekBefore: "Eine Woche zuvor",
  busiestHours: "Belebteste Stunden",
  historyKey: "Die Linie ist das Mittel, die Fläche reicht vom kleinsten zum größten Wert.",

  whoIsInside: "Wer ist anwesend",
  search: "Suchen",
  allOut: "Alle hinaus",

  muster: "Räumung",
  drill: "Räumungsübung",
  evacuation: "Räumung",
  start: "Beginnen",
  end: "Räumung beenden",
  print: "Drucken",
  downloadCsv: "Als CSV herunterladen",
  musterOpen: (kind, time) => `${kind} seit ${time}`,
  printedAt: (time) => `Gedruckt ${time}`,
  toMuster: "Räumung zeigen",

  counted: "Gezählte Personen",
  countedShare: (counted, stays) => `${counted} von Geräten gezählt, ${stays} mit Aufenthalt`,

  devices: "Geräte",

  overview: "Übersicht",

  areas: "Bereiche",
  deleted: (name) => `${name} wurde gelöscht.`,
  cancel: "Abbrechen",
  zoomIn: "Vergrößern",
  zoomOut: "Verkleinern",
  showAll: "Alles zeigen",
  floor: (level: string) => `Ebene ${level}`,
  floorLevel: "Ebene",
  west: "West",
  south: "Süd",
  east: "Ost",
  north: "Nord",
  rotation: "Drehung in Grad, im Uhrzeigersinn",

  previousPage: "Vorige Seite",
  nextPage: "Nächste Seite",

  row: "Zeile",
  organizationId: "Kennung der Organisation",

  signInWith: (issuer) => `Anmelden mit ${issuer}`,
  issuerRefused: (reason) => `Die Anmeldung ist nicht gelungen (${reason}).`,
  issuerToken: "Der Aussteller gab kein Token, das diese Seite verwenden kann.",
  issuerNotReached: "Der Aussteller wurde nicht erreicht, oder er lässt diese Seite nicht zu.",

  people: "Personen",
  name: "Name",
  noRows: "Es gibt nichts anzuzeigen.",

  changes: "Änderungen",
  // Die Sitzung, die über dem Geöffneten geendet hat.
  staysOpen: "Was geöffnet ist, bleibt, wie es ist.",
  notForOpen:
    "Dieser Administrator darf nicht sehen, was hier geöffnet ist. Melden Sie sich als ein anderer an, oder melden Sie sich ab.",

  // Ein Tag, der noch einmal abläuft, und was er hatte.
  timeOfDay: "Tageszeit",
  day: "Tag",
  busiest: "Höchststand",
  play: "Abspielen",
  pause: "Anhalten",
  replayKeys:
    "Pfeiltasten gehen um eine Minute, Bild auf und Bild ab um eine Stunde. Die Eingabetaste führt zu den Tasten.",
  usualOn: (weekday) => `Üblich an ${weekday}en: der kleinste, der mittlere und der größte Wert der letzten Wochen`,
  usualAt: (time, least, middle, most) => `${time}: üblich ${least} bis ${most} anwesend, in der Mitte ${middle}`,
  visits: (day) => (day === undefined ? "Besuche heute" : `Besuche am ${day}`),
  averageStay: "Verweildauer",
  peak: "Höchststand",
  timesIn: (zone) => `Tage und Zeiten sind die von ${zone}.`,

  // The board.
  board: "Anzeigetafel",

  // Die Leiste an der Seite und der erste Blick
  navigation: "Navigation",
  records: "Berichte",
  team: "Team",
  settings: "Einstellungen",
  stays: "Aufenthalte",
  signedInAs: "Angemeldet",
  loadingLong: "Wird geladen ... Das dauert länger als sonst. Es wird von selbst erneut versucht.",
  notThere: (id) => `Es gibt keine Organisation ${id}, oder sie ist nicht Ihre.`,
  ofCapacity: (capacity) => `von ${capacity} anwesend`,
  countedBefore: (inside, counted, stays) => `Eben noch ${inside}: ${counted} von Geräten, ${stays} mit Aufenthalt`,
  attention: "Braucht Aufmerksamkeit",
  silent: (count) => `Stumme Geräte: ${count}`,
  noPlaces: "Es gibt noch keine Orte",
  noPlacesHint:
    "Orte sind Räume, Ebenen oder Außenflächen, in denen Personen gezählt werden. Wer die Organisation verwaltet, zeichnet sie auf der Karte.",
  drawFirst: "Den ersten Ort zeichnen"
}

export default de
