/** Ports, as flags take them. */
import { UsageError } from "../../resources/errors.ts";

export const portMax = 65_535;

/** Reads the number of a port; 0 is any that is free. @throws UsageError `BadValue` */
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
