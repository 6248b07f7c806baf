import { setRuntime } from '../../worker/lib/runtime.ts'
import { derivePasswordFast } from '../support/passwords.ts'

// The tests of Argon2id itself turn this off.
setRuntime({ derivePassword: derivePasswordFast })
