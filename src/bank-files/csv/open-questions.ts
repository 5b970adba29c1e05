/** Collects the open questions about a file, to be asked all at once. */
import { BankFileError, type BankFileFault, type Question } from "../bank-statement.ts";

export class Questions {
  readonly #asked: Question[] = [];

  /**
   * Adds a question.
   *
   * @param sentence  describes the ambiguity; the possible answers are appended
   * @param choices   flags of a command line, one for each answer
   */
  ask(
    flag: string,
    sentence: string,
    choices: readonly string[],
    exampleCell: Pick<Question, "example" | "row"> = {},
  ): void {
    if (this.#asked.some((each) => each.flag === flag && each.question === sentence)) return;
    this.#asked.push({ ...questionOf(flag, sentence, choices), ...exampleCell });
  }

  get isOpen(): boolean {
    return this.#asked.length > 0;
  }

  /** Refuses the file if there are questions. @throws BankFileError `Ambiguous` */
  refuse(): void {
    const [first, ...others] = this.#asked;
    if (first === undefined) return;
    const moreText = others.map(({ message }) => ` ${message}`).join("");
    throw new BankFileError("Ambiguous", `${first.message}${moreText}`, undefined, this.#asked);
  }
}

function questionOf(flag: string, question: string, choices: readonly string[]): Question {
  const words = choices.slice(0, 6).join(choices.length === 2 ? " or " : ", ");
  const message = `${question} ${words === "" ? flag : words} settles it.`;
  return { message, question, flag, choices };
}

/** Error for a file that cannot be read further before a question is answered. */
export function unsettledError(
  code: BankFileFault,
  flag: string,
  sentence: string,
  choices: readonly string[],
  exampleCell: Pick<Question, "example"> = {},
): BankFileError {
  const question = { ...questionOf(flag, sentence, choices), ...exampleCell };
  return new BankFileError(code, question.message, undefined, [question]);
}
