/// <reference types="@cloudflare/vitest-plugin/types" />

declare namespace Cloudflare {
  interface Env {
    /** Makes the schema of all migrations in an empty database: `schema.ts`. */
    SCHEMA_SQL: string[]
    SCHEMA_HASH: string
  }
}
