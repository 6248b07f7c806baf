// What tests inside workerd see: the Worker's own bindings and, as `exports.default`, the Worker itself.
import type { Env as WorkerEnv } from '../../worker/lib/env.ts'

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv {}
    interface GlobalProps {
      mainModule: typeof import('../../worker/dev/index.ts')
    }
  }
}
