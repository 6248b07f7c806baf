/// <reference types="@cloudflare/vitest-plugin/types" />

declare namespace Cloudflare {
  interface Env {
    /** The migrations that `migrate.ts` applies before each test file. */
    MIGRATIONS: import('cloudflare:test').D1Migration[]
    SCHEMA_HASH: string
  }
}
