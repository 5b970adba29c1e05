/**
 * Reads the configuration file of a server: YAML with a value, or a list of values, for each key.
 *
 * The parser gives events, and nothing is expanded. Anchors, aliases and tags are refused, so that no
 * small file becomes a large value.
 */
import { EVENT_ID, type Event, getScalarValue, parseEvents, YAMLException } from "js-yaml";
import { inputText } from "../../platform/input-file.ts";
import { UsageError } from "../../resources/errors.ts";

/** An entry of the file. */
export interface ConfigEntry {
  readonly key: string;
  /** Value as text; the parts of a list are separated by commas. */
  readonly text: string;
  /** Line of the key, from 1. */
  readonly line: number;
}

const fileBounds = { bytes: 256 * 1024 };
const maxDepth = 8;

/** Returns the error of a line of a configuration file. */
export function lineFault(path: string, line: number, problem: string): UsageError {
  return new UsageError("BadConfig", `${path}, line ${line}: ${problem}`);
}

/**
 * Reads the entries of a file, in their order.
 *
 * @throws UsageError `BadConfig` with the line, `NoFile`, `FileTooLarge`
 */
export function readEntries(path: string): readonly ConfigEntry[] {
  const source = inputText(path, fileBounds);
  const lineOf = (offset: number) => source.slice(0, offset).split(/\r\n?|\n/).length;
  const [, top, ...events] = eventsOf(path, source);
  const entries: ConfigEntry[] = [];
  if (top === undefined) return entries;
  let line = 1;
  const textOf = (event: Event | undefined) => {
    if (event?.type === EVENT_ID.SCALAR) return getScalarValue(source, event);
    const problem = "a setting is one line, such as port: 9320, or a list of words.";
    throw lineFault(path, line, problem);
  };
  for (const event of [top, ...events]) {
    const at = Math.max(
      "anchorStart" in event ? event.anchorStart : -1,
      "tagStart" in event ? event.tagStart : -1,
    );
    if (at >= 0) throw lineFault(path, lineOf(at), "anchors, aliases and tags are not read.");
  }
  if (top.type !== EVENT_ID.MAPPING) textOf(undefined);
  let event = events.shift();
  for (; event?.type !== EVENT_ID.POP; event = events.shift()) {
    if (event?.type === EVENT_ID.SCALAR) line = lineOf(event.valueStart);
    const key = textOf(event);
    const valueTexts: string[] = [];
    event = events.shift();
    if (event?.type !== EVENT_ID.SEQUENCE) valueTexts.push(textOf(event));
    else while (events[0]?.type !== EVENT_ID.POP) valueTexts.push(textOf(events.shift()));
    if (event?.type === EVENT_ID.SEQUENCE) events.shift();
    entries.push({ key, text: valueTexts.join(","), line });
  }
  if (events.length > 1) throw lineFault(path, line, "only one document is read; take --- out.");
  return entries;
}

/** Parses the text. @throws UsageError `BadConfig` */
function eventsOf(path: string, source: string): Event[] {
  try {
    return parseEvents(source, { maxDepth });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw lineFault(path, (error.mark?.line ?? 0) + 1, `${error.reason}.`);
  }
}
