/** The shape of the tables, read from the PostgreSQL catalogue in one query. */
import { lineOfIndex } from "../../upgrade/table-shape.ts";

/** Condition for relations of the schema, without `schema_version` and those of extensions. */
const relation = `c.relnamespace = current_schema()::regnamespace and c.relname <> 'schema_version'
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass
    and d.objid = c.oid and d.deptype = 'e')`;

/** A row of `selectShape`. */
export interface ShapeRow {
  readonly kind: string;
  readonly name: string;
  readonly of: string | null;
  readonly said: string | null;
  readonly more: string | null;
}

/**
 * The shape query: each row gives the kind of an object, its name, its table and its definition.
 */
export const selectShape = `
  select case when c.relkind in ('r', 'p') then 'table' when c.relkind = 'm' then 'view'
      when c.relkind = 'f' then 'table' else 'view' end as kind, c.relname::text as name,
      null as of, null as said, null as more
    from pg_class c where c.relkind in ('r', 'p', 'f', 'v', 'm') and ${relation}
  union all
  select 'column', a.attname::text, c.relname::text,
      case t.typname when 'int8' then 'integer' when 'bytea' then 'bytes' else t.typname end
      || case when a.attnotnull then ' not null' else '' end
      || case when a.attcollation <> t.typcollation and l.collname <> 'C'
         then ' collate ' || l.collname else '' end
      || case when a.attcollation = t.typcollation and t.typname = 'text'
         then ' collate default' else '' end
      || case when a.attgenerated <> '' then ' generated' else '' end
      || case when a.attidentity <> '' then ' identity' else '' end,
      pg_get_expr(d.adbin, d.adrelid)
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    join pg_type t on t.oid = a.atttypid
    left join pg_collation l on l.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind in ('r', 'p', 'f') and a.attnum > 0 and not a.attisdropped and ${relation}
  union all
  select case when i.indisprimary then 'key' else 'index' end, x.relname::text, c.relname::text,
      (select string_agg(pg_get_indexdef(i.indexrelid, k::int, true), ', ' order by k)
        from generate_series(1, i.indnkeyatts) k)
      || case when i.indisunique then ' unique' else '' end
      || case when i.indisvalid then '' else ' invalid' end,
      pg_get_expr(i.indpred, i.indrelid)
    from pg_class c join pg_index i on i.indrelid = c.oid
    join pg_class x on x.oid = i.indexrelid where ${relation}
  union all
  select 'constraint', o.conname::text, c.relname::text, null, null
    from pg_class c join pg_constraint o on o.conrelid = c.oid
    where o.contype not in ('p', 'n', 't') and ${relation}
  union all
  select 'trigger', g.tgname::text, c.relname::text, null, null
    from pg_class c join pg_trigger g on g.tgrelid = c.oid where not g.tgisinternal and ${relation}
  union all
  select 'rule', r.rulename::text, c.relname::text, null, null
    from pg_class c join pg_rewrite r on r.ev_class = c.oid
    where c.relkind in ('r', 'p') and ${relation}
  union all
  select 'policy', p.polname::text, c.relname::text, null, null
    from pg_class c join pg_policy p on p.polrelid = c.oid where ${relation}
  union all
  select 'policy', 'row security', c.relname::text, null, null
    from pg_class c where c.relrowsecurity and ${relation}`;

/** The line of the shape that describes a row of `selectShape`. */
export function lineOfRow({ kind, name, of: table, said, more }: ShapeRow): string {
  if (kind === "column") {
    const set = more === null ? "" : ` default ${more}`;
    return `column ${table}.${name} ${said}${set}`;
  }
  if (kind === "key") return `key ${table} (${names(said)})`;
  if (kind !== "index") return table === null ? `${kind} ${name}` : `${kind} ${name} on ${table}`;
  const index = { columns: [names(said)], where: more ?? undefined };
  return lineOfIndex(
    table ?? "",
    name,
    / unique\b/.test(said ?? "") ? { ...index, unique: true } : index,
  );
}

const names = (text: string | null): string =>
  (text ?? "").replace(" unique", "").replaceAll('"', "");
