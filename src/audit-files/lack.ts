/**
 * Errors about values that a file needs and the book lacks, worded for the command line or for the
 * API.
 */
import { UsageError } from "../resources/errors.ts";

/** Wording of the remedy: how a user of the command line or of the API supplies a missing value. */
export interface Wording {
  /** Names an option of the format, with an example of its value. */
  option(parameter: string, example?: string): string;
  /** Names a field of the book. @param command  of the command line, without `acct` */
  bookField(command: string, field: string): string;
}

const flags: Wording = {
  option: (parameter, example = "") =>
    `--${parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${example}`.trim(),
  bookField: (command) => `acct ${command}`,
};

const parameters: Wording = {
  option: (parameter, example) =>
    example === undefined ? `"${parameter}"` : `"${parameter}=${example.replaceAll('"', "")}"`,
  bookField: (_, field) => field,
};

/** Error with the message in terms of flags; `ofParameters` is the message in terms of the API. */
export class LackError extends UsageError {
  readonly ofParameters: string;

  constructor(code: string, messageIn: (wording: Wording) => string) {
    super(code, messageIn(flags));
    this.ofParameters = messageIn(parameters);
  }
}
