import type { DerivePassword } from '../../worker/lib/runtime.ts'

/** Hashes a password at once. Argon2id is slow on purpose. */
export const derivePasswordFast: DerivePassword = async (password, salt) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array([...salt, ...password])))
