/** The lack of a value that a file needs and the book does not hold, in the words of the caller. */
import { UsageError } from "../resources/errors.ts";

/** How a caller gives what is lacking. */
export interface Wording {
  /** An option of the format by its parameter, with an example of its value. */
  option(parameter: string, example?: string): string;
  /** A value that the book can keep. @param command  of the command line, without `acct` */
  kept(command: string, field: string): string;
}

const flags: Wording = {
  option: (parameter, example = "") =>
    `--${parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${example}`.trim(),
  kept: (command) => `acct ${command}`,
};

const parameters: Wording = {
  option: (parameter, example) =>
    example === undefined ? `"${parameter}"` : `"${parameter}=${example.replaceAll('"', "")}"`,
  kept: (_, field) => field,
};

/** Says flags; `ofParameters` says the same of a request. */
export class LackError extends UsageError {
  readonly ofParameters: string;

  constructor(code: string, messageIn: (wording: Wording) => string) {
    super(code, messageIn(flags));
    this.ofParameters = messageIn(parameters);
  }
}
