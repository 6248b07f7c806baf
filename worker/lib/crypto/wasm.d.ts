declare module '*.wasm' {
  const module: WebAssembly.Module
  export default module
}

declare module 'argon2id/lib/argon2id.js' {
  import type { Argon2idParams } from 'argon2id'

  /** The linked module and the memory that it works in. */
  export interface Argon2Instance {
    readonly memory: WebAssembly.Memory
    readonly instance: WebAssembly.Instance
  }

  export default function argon2id(params: Argon2idParams, instance: Argon2Instance): Uint8Array
}
