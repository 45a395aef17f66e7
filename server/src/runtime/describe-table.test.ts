import pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Catalogue, readCatalogue } from "./catalogue.ts"
import { describeTable } from "./describe-table.ts"

const server = process.env.TEST_POSTGRES_URL!
const database = `describe_${process.pid}`
let client: pg.Client
let catalogue: Catalogue

const runOnServer = async (statement: string) => {
  const owner = new pg.Client(server)
  await owner.connect()
  await owner.query(statement)
  await owner.end()
}

beforeAll(async () => {
  await runOnServer(`create database ${database}`)
  client = new pg.Client(Object.assign(new URL(server), { pathname: database }).href)
  await client.connect()
  await client.query(`
    create role describe_clerk_${process.pid};
    create table orders (
      id integer primary key,
      state text not null default 'open' constraint state_is_known check (state in ('open', 'sent')),
      total_cents bigint,
      doubled bigint generated always as (total_cents * 2) stored
    );
    create index orders_open on orders (state) where state = 'open';
    alter table orders enable row level security;
    create policy own on orders for select to describe_clerk_${process.pid} using (state = 'open');
    grant select, insert, update (state) on orders to describe_clerk_${process.pid};
    create table lines (id integer, order_id integer references orders (id) on delete cascade);
    create table notes (id integer, order_id integer references orders (id));
    create function check_order() returns trigger language plpgsql as $$ begin return new; end $$;
    create function count_orders() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger check_sent before update of state on orders for each row when (new.state = 'sent') execute function check_order();
    create trigger check_new before insert or update on orders for each row execute function check_order();
    create constraint trigger check_total after insert on orders deferrable initially deferred for each row execute function count_orders();
    create trigger count_orders after insert on orders for each statement execute function count_orders()`)
  catalogue = await readCatalogue(client)
})

afterAll(async () => {
  await client.end()
  await runOnServer(`drop database ${database} with (force)`)
  await runOnServer(`drop role describe_clerk_${process.pid}`)
})

const sectionOf = (text: string, title: string) =>
  text
    .split(/\n\n(?=\S)/)
    .find((one) => one.startsWith(title))
    ?.split("\n")
    .slice(1)
    .map((line) => line.trim().replace(/ {2,}/g, "  "))

test("prints columns, constraints, indexes, policies and grants", () => {
  const text = describeTable(catalogue, "orders")
  expect(sectionOf(text, "Columns")).toEqual([
    "id  integer  not null",
    "state  text  not null  default 'open'",
    "total_cents  bigint",
    "doubled  bigint  generated: (total_cents * 2)",
  ])
  expect(sectionOf(text, "Constraints")).toEqual([
    "orders_pkey  PRIMARY KEY (id)",
    "state_is_known  CHECK (state = ANY (ARRAY['open', 'sent']))",
  ])
  expect(sectionOf(text, "Indexes")).toEqual(["orders_open  (state) WHERE (state = 'open')"])
  expect(sectionOf(text, "Row-level security: enabled")).toEqual([
    `own: select for describe_clerk_${process.pid}`,
    "using (state = 'open'::text)",
  ])
  expect(sectionOf(text, "Grants")).toEqual([`describe_clerk_${process.pid}  select, insert, update (state)`])
})

test("prints triggers per event in firing order, and foreign keys affected by a deletion", () => {
  const text = describeTable(catalogue, "orders")
  expect(sectionOf(text, "INSERT")).toEqual([
    "before each row",
    "check_new → check_order()",
    "after the statement",
    "count_orders → count_orders()",
    "before the commit",
    "check_total → count_orders()",
  ])
  expect(sectionOf(text, "UPDATE")).toEqual([
    "before each row",
    "check_new → check_order()",
    "check_sent → check_order() of state",
    "when new.state = 'sent'",
  ])
  expect(sectionOf(text, "DELETE")).toEqual([
    "foreign keys to it",
    "cascades  lines (order_id)",
    "restricts  notes (order_id)",
  ])
  const functions = sectionOf(text, "Functions of the triggers")!
  expect(functions.filter((line) => line.startsWith("CREATE"))).toEqual([
    "CREATE OR REPLACE FUNCTION public.check_order()",
    "CREATE OR REPLACE FUNCTION public.count_orders()",
  ])
})

test("shows that a table has no triggers", () => {
  expect(describeTable(catalogue, "notes")).toContain("INSERT: none")
})
