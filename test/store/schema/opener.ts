/** A process that opens a store when it is told to, and says whether it made the tables. */
import { once } from "node:events";
import { poolOf } from "../../../src/store/dialects/postgres/pool.ts";
import { postgresDialect } from "../../../src/store/dialects/postgres/postgres.ts";
import { sqliteDialect } from "../../../src/store/dialects/sqlite/sqlite.ts";
import { openStore } from "../../../src/store/store.ts";
import { latestVersion } from "../../../src/store/upgrade/state.ts";

const [place = ""] = process.argv.slice(2);
const real = place.startsWith("postgres:") ? postgresDialect(poolOf(place)) : sqliteDialect(place);
process.stdout.write("here\n");
await once(process.stdin, "data");
let times = 0;
const store = await openStore({
  ...real,
  setSchemaVersion: (tx, version) => {
    times += 1;
    return real.setSchemaVersion(tx, version);
  },
});
const { found } = await store.version();
process.stdout.write(`${times} ${found === latestVersion}\n`);
await store.close();
process.stdin.destroy();
