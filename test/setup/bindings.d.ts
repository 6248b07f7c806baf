/// <reference types="@cloudflare/vitest-plugin/types" />

declare namespace Cloudflare {
  interface Env {
    /** For the set-up of each test file. */
    MIGRATIONS: import('cloudflare:test').D1Migration[]
  }
}
