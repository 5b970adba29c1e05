/** Parses port numbers of flags. */
import { UsageError } from "../../resources/errors.ts";

export const portMax = 65_535;

/**
 * Returns a parser of port numbers; 0 means any free port.
 *
 * @throws UsageError `BadValue`
 */
export function readPort(flag: string): (text: string) => number {
  return (text) => {
    const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (port <= portMax) return port;
    throw new UsageError(
      "BadValue",
      `--${flag} takes a number from 0 to ${portMax}, not "${text}".`,
    );
  };
}
