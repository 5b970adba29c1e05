/**
 * Statements that go to a server together and are answered in one piece.
 *
 * Asked one by one, a server ends each answer by itself, sends it off at once and wakes who listens:
 * of small statements that costs both sides more than the statements. In a batch only the last is
 * ended so. Should one fail, the server leaves out those after it. It may be sent piece by piece, so
 * that the server does the first while the others are made.
 */
import type { Value } from "../dialect.ts";
import type { PostgresResult } from "./connection.ts";
import { Messages } from "./messages.ts";

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

/** What a batch needs of a connection, which is more than the types of `pg` tell. */
interface Wire {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): void };
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

/** The statements that a connection has prepared, by name: the columns of their rows. */
export type Prepared = Map<string, readonly Column[]>;

/** Put together and sent before anything else runs, so that one will do. */
const messages = new Messages();

/** What `pg` takes for a query: it has it submitted, and tells it what the server answers. */
export class Batch {
  readonly statements: Statement[] = [];
  readonly #prepared: Prepared;
  readonly #parserOf: ParserOf;
  readonly #ended: () => void;
  /** Undefined until `pg` has it submitted. */
  #stream: Wire["stream"] | undefined;
  #sent = 0;
  #isWhole = false;
  /** The statements that it prepares. */
  readonly #parsed = new Set<string>();
  /** What became of the statements that are answered. */
  readonly #outcomes: (() => void)[] = [];
  #columns: readonly Column[] | undefined;
  #rows: unknown[] = [];
  /** Why a value of the rows at hand cannot be read. */
  #unreadable: { readonly error: unknown } | undefined;

  /**
   * @param prepared  of this connection; those of the batch are added
   * @param ended  called when the connection can be given the next
   */
  constructor(prepared: Prepared, parserOf: ParserOf, ended: () => void) {
    this.#prepared = prepared;
    this.#parserOf = parserOf;
    this.#ended = ended;
  }

  /**
   * Adds statements, and sends them.
   *
   * @param isWhole  none come after them: the server ends its answer
   */
  add(statements: readonly Statement[], isWhole: boolean): void {
    this.statements.push(...statements);
    this.#isWhole = isWhole;
    this.#send();
  }

  submit(connection: object): void {
    this.#stream = (connection as Wire).stream;
    this.#send();
  }

  #send(): void {
    if (this.#stream === undefined) return;
    for (; this.#sent < this.statements.length; this.#sent += 1) {
      const { text, values, name } = this.statements[this.#sent] as Statement;
      const isPrepared = this.#prepared.has(name);
      if (!isPrepared && !this.#parsed.has(name)) {
        // It may have been prepared by a batch that failed; what is not there is closed as well.
        if (name !== "") messages.close(name);
        if (name !== "") this.#parsed.add(name);
        messages.parse(name, text);
      }
      messages.bind(name, values);
      if (!isPrepared) messages.describe();
      messages.execute();
    }
    if (this.#isWhole) messages.sync();
    const bytes = messages.take();
    // Of a connection that is lost `pg` tells by `handleError`.
    if (this.#stream.writable) this.#stream.write(bytes);
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#parserOf(dataTypeID),
    }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { asLists, name } = this.statements[this.#outcomes.length] as Statement;
    this.#columns ??= this.#prepared.get(name) ?? [];
    const columns = this.#columns;
    try {
      const values = columns.map(({ parse }, at) => {
        const text = fields[at] ?? null;
        return text === null ? null : parse(text);
      });
      this.#rows.push(asLists ? values : asObject(columns, values));
    } catch (error) {
      this.#unreadable ??= { error };
    }
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
    if (statement.name !== "" && !this.#prepared.has(statement.name)) {
      this.#prepared.set(statement.name, this.#columns ?? []);
    }
    this.#columns = undefined;
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

function asObject(columns: readonly Column[], values: readonly unknown[]): object {
  return Object.fromEntries(columns.map(({ name }, at) => [name, values[at]]));
}
