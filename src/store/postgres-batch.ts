/**
 * Statements that go to a server in one piece and are answered in one piece.
 *
 * Asked one by one, a server ends each answer by itself, sends it off at once and wakes who listens:
 * of small statements that costs both sides more than the statements. In a batch only the last is
 * ended so. Should one fail, the server leaves out those after it.
 */
import type { Value } from "./dialect.ts";
import type { PostgresResult } from "./postgres-connection.ts";

/** A statement that waits for its answer. */
export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
  /** Under which the server keeps it prepared; empty where it does not. */
  readonly name: string;
  /** Whether each row is a list of its columns, instead of an object. */
  readonly asLists: boolean;
  resolve(result: PostgresResult): void;
  reject(error: unknown): void;
}

/** What reads values, by the number that the server has for their type. */
export type ParserOf = (type: number) => (text: string) => unknown;

/** The messages of a connection; what a batch needs of them is more than the types of `pg` tell. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  close(of: { type: "S"; name: string }): void;
  parse(statement: { name: string; text: string }): void;
  bind(to: { statement: string; values: readonly (string | Buffer | null)[] }): void;
  describe(portal: { type: "P" }): void;
  execute(): void;
  sync(): void;
  sendCopyFail(why: string): void;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** What `pg` takes for a query: it has it submitted, and tells it what the server answers. */
export class Batch {
  readonly statements: readonly Statement[];
  readonly #prepared: Set<string>;
  readonly #parserOf: ParserOf;
  readonly #ended: () => void;
  /** What became of the statements that are answered. */
  readonly #outcomes: (() => void)[] = [];
  #columns: readonly Column[] = [];
  #rows: unknown[] = [];
  /** Why a value of the rows at hand cannot be read. */
  #unreadable: { readonly error: unknown } | undefined;

  /**
   * @param prepared  names of the statements that this connection has prepared; those of the batch
   *   are added
   * @param ended  called when the connection can be given the next
   */
  constructor(
    statements: readonly Statement[],
    prepared: Set<string>,
    parserOf: ParserOf,
    ended: () => void,
  ) {
    this.statements = statements;
    this.#prepared = prepared;
    this.#parserOf = parserOf;
    this.#ended = ended;
  }

  submit(connection: object): void {
    const wire = connection as Wire;
    const parsed = new Set<string>();
    wire.stream.cork();
    for (const { text, values, name } of this.statements) {
      if (!this.#prepared.has(name) && !parsed.has(name)) {
        // It may have been prepared by a batch that failed; what is not there is closed as well.
        if (name !== "") wire.close({ type: "S", name });
        if (name !== "") parsed.add(name);
        wire.parse({ name, text });
      }
      wire.bind({ statement: name, values: values.map(sent) });
      wire.describe({ type: "P" });
      wire.execute();
    }
    wire.sync();
    wire.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#parserOf(dataTypeID),
    }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { asLists } = this.statements[this.#outcomes.length] as Statement;
    try {
      const values = this.#columns.map(({ parse }, at) => {
        const text = fields[at] ?? null;
        return text === null ? null : parse(text);
      });
      this.#rows.push(asLists ? values : this.#asObject(values));
    } catch (error) {
      this.#unreadable ??= { error };
    }
  }

  #asObject(values: readonly unknown[]): object {
    return Object.fromEntries(this.#columns.map(({ name }, at) => [name, values[at]]));
  }

  handleCommandComplete({ text }: { text: string }): void {
    const count = /\d+$/.exec(text)?.[0];
    this.#answered(count === undefined ? null : Number(count));
  }

  handleEmptyQuery(): void {
    this.#answered(null);
  }

  #answered(rowCount: number | null): void {
    const statement = this.statements[this.#outcomes.length] as Statement;
    const unreadable = this.#unreadable;
    const result = { rows: this.#rows, rowCount };
    this.#outcomes.push(() => {
      if (unreadable === undefined) statement.resolve(result);
      else statement.reject(unreadable.error);
    });
    if (statement.name !== "") this.#prepared.add(statement.name);
    this.#columns = [];
    this.#rows = [];
    this.#unreadable = undefined;
  }

  handleCopyInResponse(connection: object): void {
    (connection as Wire).sendCopyFail("Nothing is copied in a batch.");
  }

  handleReadyForQuery(): void {
    this.#end();
  }

  /** One has failed, and those after it are left out; or the connection is lost. */
  handleError(error: unknown): void {
    for (const { reject } of this.statements.slice(this.#outcomes.length)) {
      this.#outcomes.push(() => reject(error));
    }
    this.#end();
  }

  #end(): void {
    for (const tell of this.#outcomes) tell();
    this.#ended();
  }
}

/** Numbers and what a query builder says of its own go as text, files as they are. */
function sent(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  return String(value);
}
