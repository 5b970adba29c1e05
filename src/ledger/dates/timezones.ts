/**
 * Time zones of organisations, and the current day in them.
 *
 * A zone is named by its Windows id, in capitals, without spaces and dots. The first use of `Intl`
 * costs a command some ten milliseconds, so it is asked only about years before 2025, and about zones
 * whose summer time has rules of their own.
 */
import { RefusedError } from "../../resources/errors.ts";
import { type DateText, dateOfNumber } from "./calendar.ts";

/** A zone: IANA name, minimum offset from UTC in minutes, and maximum where it differs. */
type Zone = readonly [name: string, least: number, greatest?: number];

const utc: Zone = ["UTC", 0];

/**
 * Zones by id, without the suffix STANDARDTIME of most ids.
 *
 * @source Unicode CLDR, windowsZones; offsets from the IANA time zone database, 2025
 */
const zones: Readonly<Record<string, Zone>> = {
  AFGHANISTAN: ["Asia/Kabul", 270],
  ALASKAN: ["America/Anchorage", -540, -480],
  ALEUTIAN: ["America/Adak", -600, -540],
  ALTAI: ["Asia/Barnaul", 420],
  ARAB: ["Asia/Riyadh", 180],
  ARABIAN: ["Asia/Dubai", 240],
  ARABIC: ["Asia/Baghdad", 180],
  ARGENTINA: ["America/Argentina/Buenos_Aires", -180],
  ASTRAKHAN: ["Europe/Astrakhan", 240],
  ATLANTIC: ["America/Halifax", -240, -180],
  AUSCENTRAL: ["Australia/Darwin", 570],
  AUSCENTRALW: ["Australia/Eucla", 525],
  AUSEASTERN: ["Australia/Sydney", 600, 660],
  AZERBAIJAN: ["Asia/Baku", 240],
  AZORES: ["Atlantic/Azores", -60, 0],
  BAHIA: ["America/Bahia", -180],
  BANGLADESH: ["Asia/Dhaka", 360],
  BELARUS: ["Europe/Minsk", 180],
  BOUGAINVILLE: ["Pacific/Bougainville", 660],
  CANADACENTRAL: ["America/Regina", -360],
  CAPEVERDE: ["Atlantic/Cape_Verde", -60],
  CAUCASUS: ["Asia/Yerevan", 240],
  CENAUSTRALIA: ["Australia/Adelaide", 570, 630],
  CENTRAL: ["America/Chicago", -360, -300],
  "CENTRAL(MEXICO)": ["America/Mexico_City", -360],
  CENTRALAMERICA: ["America/Guatemala", -360],
  CENTRALASIA: ["Asia/Bishkek", 360],
  CENTRALBRAZILIAN: ["America/Cuiaba", -240],
  CENTRALEUROPE: ["Europe/Budapest", 60, 120],
  CENTRALEUROPEAN: ["Europe/Warsaw", 60, 120],
  CENTRALPACIFIC: ["Pacific/Guadalcanal", 660],
  CHATHAMISLANDS: ["Pacific/Chatham", 765, 825],
  CHINA: ["Asia/Shanghai", 480],
  CUBA: ["America/Havana", -300, -240],
  DATELINE: ["Etc/GMT+12", -720],
  EAFRICA: ["Africa/Nairobi", 180],
  EASTERISLAND: ["Pacific/Easter", -360, -300],
  EASTERN: ["America/New_York", -300, -240],
  "EASTERN(MEXICO)": ["America/Cancun", -300],
  EAUSTRALIA: ["Australia/Brisbane", 600],
  EEUROPE: ["Europe/Chisinau", 120, 180],
  EGYPT: ["Africa/Cairo", 120, 180],
  EKATERINBURG: ["Asia/Yekaterinburg", 300],
  ESOUTHAMERICA: ["America/Sao_Paulo", -180],
  FIJI: ["Pacific/Fiji", 720],
  FLE: ["Europe/Kiev", 120, 180],
  GEORGIAN: ["Asia/Tbilisi", 240],
  GMT: ["Europe/London", 0, 60],
  GREENLAND: ["America/Godthab", -120, -60],
  GREENWICH: ["Atlantic/Reykjavik", 0],
  GTB: ["Europe/Bucharest", 120, 180],
  HAITI: ["America/Port-au-Prince", -300, -240],
  HAWAIIAN: ["Pacific/Honolulu", -600],
  INDIA: ["Asia/Calcutta", 330],
  IRAN: ["Asia/Tehran", 210],
  ISRAEL: ["Asia/Jerusalem", 120, 180],
  JORDAN: ["Asia/Amman", 180],
  KALININGRAD: ["Europe/Kaliningrad", 120],
  KAMCHATKA: ["Asia/Kamchatka", 720],
  KOREA: ["Asia/Seoul", 540],
  LIBYA: ["Africa/Tripoli", 120],
  LINEISLANDS: ["Pacific/Kiritimati", 840],
  LORDHOWE: ["Australia/Lord_Howe", 630, 660],
  MAGADAN: ["Asia/Magadan", 660],
  MAGALLANES: ["America/Punta_Arenas", -180],
  MARQUESAS: ["Pacific/Marquesas", -570],
  MAURITIUS: ["Indian/Mauritius", 240],
  MIDATLANTIC: ["Etc/GMT+2", -120],
  MIDDLEEAST: ["Asia/Beirut", 120, 180],
  MONTEVIDEO: ["America/Montevideo", -180],
  MOROCCO: ["Africa/Casablanca", 0, 60],
  MOUNTAIN: ["America/Denver", -420, -360],
  "MOUNTAIN(MEXICO)": ["America/Mazatlan", -420],
  MYANMAR: ["Asia/Rangoon", 390],
  NAMIBIA: ["Africa/Windhoek", 120],
  NCENTRALASIA: ["Asia/Novosibirsk", 420],
  NEPAL: ["Asia/Katmandu", 345],
  NEWFOUNDLAND: ["America/St_Johns", -210, -150],
  NEWZEALAND: ["Pacific/Auckland", 720, 780],
  NORFOLK: ["Pacific/Norfolk", 660, 720],
  NORTHASIA: ["Asia/Krasnoyarsk", 420],
  NORTHASIAEAST: ["Asia/Irkutsk", 480],
  NORTHKOREA: ["Asia/Pyongyang", 540],
  OMSK: ["Asia/Omsk", 360],
  PACIFIC: ["America/Los_Angeles", -480, -420],
  "PACIFIC(MEXICO)": ["America/Tijuana", -480, -420],
  PACIFICSA: ["America/Santiago", -240, -180],
  PAKISTAN: ["Asia/Karachi", 300],
  PARAGUAY: ["America/Asuncion", -240, -180],
  QYZYLORDA: ["Asia/Qyzylorda", 300],
  ROMANCE: ["Europe/Paris", 60, 120],
  RUSSIAN: ["Europe/Moscow", 180],
  RUSSIATIMEZONE3: ["Europe/Samara", 240],
  RUSSIATIMEZONE10: ["Asia/Srednekolymsk", 660],
  RUSSIATIMEZONE11: ["Asia/Kamchatka", 720],
  SAEASTERN: ["America/Cayenne", -180],
  SAINTPIERRE: ["America/Miquelon", -180, -120],
  SAKHALIN: ["Asia/Sakhalin", 660],
  SAMOA: ["Pacific/Apia", 780],
  SAOTOME: ["Africa/Sao_Tome", 0],
  SAPACIFIC: ["America/Bogota", -300],
  SARATOV: ["Europe/Saratov", 240],
  SAWESTERN: ["America/La_Paz", -240],
  SEASIA: ["Asia/Bangkok", 420],
  SINGAPORE: ["Asia/Singapore", 480],
  SOUTHAFRICA: ["Africa/Johannesburg", 120],
  SOUTHSUDAN: ["Africa/Juba", 120],
  SRILANKA: ["Asia/Colombo", 330],
  SUDAN: ["Africa/Khartoum", 120],
  SYRIA: ["Asia/Damascus", 180],
  TAIPEI: ["Asia/Taipei", 480],
  TASMANIA: ["Australia/Hobart", 600, 660],
  TOCANTINS: ["America/Araguaina", -180],
  TOKYO: ["Asia/Tokyo", 540],
  TOMSK: ["Asia/Tomsk", 420],
  TONGA: ["Pacific/Tongatapu", 780],
  TRANSBAIKAL: ["Asia/Chita", 540],
  TURKEY: ["Europe/Istanbul", 180],
  TURKSANDCAICOS: ["America/Grand_Turk", -300, -240],
  ULAANBAATAR: ["Asia/Ulaanbaatar", 480],
  USEASTERN: ["America/Indiana/Indianapolis", -300, -240],
  USMOUNTAIN: ["America/Phoenix", -420],
  UTC: utc,
  "UTC+12": ["Etc/GMT-12", 720],
  "UTC+13": ["Etc/GMT-13", 780],
  UTC02: ["Etc/GMT+2", -120],
  UTC08: ["Etc/GMT+8", -480],
  UTC09: ["Etc/GMT+9", -540],
  UTC11: ["Etc/GMT+11", -660],
  VENEZUELA: ["America/Caracas", -240],
  VLADIVOSTOK: ["Asia/Vladivostok", 600],
  VOLGOGRAD: ["Europe/Volgograd", 180],
  WAUSTRALIA: ["Australia/Perth", 480],
  WCENTRALAFRICA: ["Africa/Lagos", 60],
  WESTASIA: ["Asia/Tashkent", 300],
  WESTBANK: ["Asia/Hebron", 120, 180],
  WESTPACIFIC: ["Pacific/Port_Moresby", 600],
  WEUROPE: ["Europe/Berlin", 60, 120],
  WMONGOLIA: ["Asia/Hovd", 420],
  YAKUTSK: ["Asia/Yakutsk", 540],
  YUKON: ["America/Whitehorse", -420],
};

/**
 * Time from which the offsets in the table are valid, 2025-01-01, in milliseconds since 1970 UTC.
 */
const offsetsSince = 1_735_689_600_000;

/** A Sunday of a month, counted from 1, or 0 for the last one, and the minute of its day. */
type Switch = readonly [month: number, sunday: number, minute: number];

/** Beginning and end of summer time, in standard time of the zone, or in UTC. */
interface Summer {
  readonly zones: RegExp;
  readonly from: Switch;
  readonly to: Switch;
  readonly isUtc?: true;
}

/** @source the IANA time zone database, 2025 */
const summers: readonly Summer[] = [
  { zones: /^Europe\/(?!Chisinau)/, from: [3, 0, 60], to: [10, 0, 60], isUtc: true },
  {
    zones: /^America\/(?!Havana|Asuncion|Santiago|Godthab)/,
    from: [3, 2, 120],
    to: [11, 1, 60],
  },
  { zones: /^Pacific\/Auckland$/, from: [9, 0, 120], to: [4, 1, 120] },
  { zones: /^Australia\/(?!Lord_Howe)/, from: [10, 1, 120], to: [4, 1, 120] },
];

const dayMs = 86_400_000;

/** The offset of a zone from UTC at a moment, in minutes; undefined where only `Intl` knows it. */
function offsetAt(clockMs: number, [name, least, greatest]: Zone): number | undefined {
  if (name === "UTC") return 0;
  if (clockMs < offsetsSince) return undefined;
  if (greatest === undefined) return least;
  const summer = summers.find(({ zones }) => zones.test(name));
  if (summer === undefined) return undefined;
  const moment = clockMs + (summer.isUtc ? 0 : least * 60_000);
  const year = new Date(moment).getUTCFullYear();
  const [from, to] = [momentOf(year, summer.from), momentOf(year, summer.to)];
  const isSummer = from < to ? moment >= from && moment < to : moment >= from || moment < to;
  return isSummer ? greatest : least;
}

function momentOf(year: number, [month, sunday, minute]: Switch): number {
  const first =
    sunday === 0 ? Date.UTC(year, month, -6) : Date.UTC(year, month - 1, sunday * 7 - 6);
  return first + ((7 - new Date(first).getUTCDay()) % 7) * dayMs + minute * 60_000;
}

function zoneOf(timezone: string): Zone | undefined {
  const name = timezone.replace("STANDARDTIME", "");
  return Object.hasOwn(zones, name) ? zones[name] : undefined;
}

/** All ids that an organisation's Timezone may have. */
export const timezones: readonly string[] = Object.keys(zones).map((name) => {
  if (/^(UTC|RUSSIATIMEZONE)/.test(name)) return name;
  const bracketAt = name.indexOf("(");
  return bracketAt < 0
    ? `${name}STANDARDTIME`
    : `${name.slice(0, bracketAt)}STANDARDTIME${name.slice(bracketAt)}`;
});

/** The IANA name of a zone; undefined for an unknown id. */
export function ianaName(timezone: string): string | undefined {
  return zoneOf(timezone)?.[0];
}

/** Minimum and maximum offset from UTC, in minutes, since 2025. */
export function offsetsOf(
  timezone: string,
): readonly [least: number, greatest: number] | undefined {
  const zone = zoneOf(timezone);
  return zone && [zone[1], zone[2] ?? zone[1]];
}

/**
 * The current day in a time zone.
 * @param clockMs   milliseconds since 1970 UTC
 * @param timezone  id as in the organisation: NEWZEALANDSTANDARDTIME, UTC, …
 * @throws RefusedError `Timezone` for an unknown id
 */
export function dayIn(clockMs: number, timezone: string): DateText {
  const zone = zoneOf(timezone);
  if (zone === undefined) {
    throw new RefusedError("Timezone", `The time zone '${timezone}' is not known.`);
  }
  const offset = offsetAt(clockMs, zone);
  return offset === undefined
    ? dayOf(partsByIntl(clockMs, zone[0]))
    : dateOfNumber(dayAt(clockMs, offset));
}

/** The day of a moment in a time zone; in UTC for an unknown id. */
export const localDay = (clockMs: number, timezone: string | undefined): DateText =>
  dayIn(clockMs, timezone !== undefined && zoneOf(timezone) ? timezone : "UTC");

function dayAt(clockMs: number, offsetMinutes: number): number {
  return Math.floor((clockMs + offsetMinutes * 60_000) / dayMs);
}

/**
 * The current minute in a time zone: `2026-11-15 11:00`.
 * @param timezone  id as in the organisation; UTC is used for an unknown id
 */
export function localMinute(clockMs: number, timezone: string | undefined): string {
  const zone = zoneOf(timezone ?? "UTC") ?? utc;
  const offset = offsetAt(clockMs, zone);
  if (offset !== undefined) {
    return new Date(clockMs + offset * 60_000).toISOString().slice(0, 16).replace("T", " ");
  }
  const parts = partsByIntl(clockMs, zone[0]);
  return `${dayOf(parts)} ${parts.hour}:${parts.minute}`;
}

/**
 * The local time to the minute, in milliseconds as if it were UTC, for programs that know no time
 * zones.
 */
export const localMs = (clockMs: number, timezone: string | undefined): number =>
  timezone === undefined
    ? clockMs
    : Date.parse(`${localMinute(clockMs, timezone).replace(" ", "T")}Z`);

const formatByZone = new Map<string, Intl.DateTimeFormat>();

type ClockParts = Readonly<Record<string, string>>;

const dayOf = ({ year, month, day }: ClockParts) => `${year?.padStart(4, "0")}-${month}-${day}`;

function partsByIntl(clockMs: number, name: string): ClockParts {
  let format = formatByZone.get(name);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-CA", {
      timeZone: name,
      calendar: "iso8601",
      numberingSystem: "latn",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    formatByZone.set(name, format);
  }
  const parts: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(clockMs)) parts[type] = value;
  return parts;
}
