/**
 * Bad input from outside: a descriptor, a block, a proof, a signed transaction. `code` is a stable snake_case word. The
 * message is a sentence for an operator and never quotes the input, which may contain a secret.
 */
export class ChainError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'ChainError'
    this.code = code
  }
}
