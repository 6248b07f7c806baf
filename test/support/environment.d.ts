// What tests inside workerd see: the Worker's own bindings and, as `exports.default`, the Worker itself.
import type { Env as WorkerEnv } from '../../worker/lib/env.ts'

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv {
      /** A second database, empty and without tables, for tests with several. */
      SECOND_DB: D1Database
    }
    interface GlobalProps {
      mainModule: typeof import('../../worker/dev/index.ts')
    }
  }
}
