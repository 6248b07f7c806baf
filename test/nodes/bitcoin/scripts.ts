import { hexToBytes } from '@noble/hashes/utils.js'
import { OP } from '@scure/btc-signer'
import { OPNames } from '@scure/btc-signer/script.js'

/** A script in words, as Esplora writes it. */
export function asmOf(script: string): string {
  const bytes = hexToBytes(script)
  const words: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const op = bytes[at++] ?? 0
    const prefix = { [OP.PUSHDATA1]: 1, [OP.PUSHDATA2]: 2, [OP.PUSHDATA4]: 4 }[op] ?? 0
    if (op === OP.OP_0 || (op >= OP.PUSHDATA1 && prefix === 0) || op > OP.PUSHDATA4) {
      words.push(nameOf(op))
      continue
    }
    let length = prefix === 0 ? op : 0
    for (let index = 0; index < prefix; index++) length += (bytes[at + index] ?? 0) * 256 ** index
    at += prefix
    const pushed = Buffer.from(bytes.slice(at, at + length)).toString('hex')
    words.push(
      prefix === 0 ? `OP_PUSHBYTES_${op}` : `OP_PUSHDATA${prefix}`,
      at + length > bytes.length ? '<push past end>' : pushed,
    )
    at += length
  }
  return words.join(' ')
}

function nameOf(op: number): string {
  if (op >= OP.OP_1 && op <= OP.OP_16) return `OP_PUSHNUM_${op - OP.OP_1 + 1}`
  if (op === OP['1NEGATE']) return 'OP_PUSHNUM_NEG1'
  return `OP_${(OPNames[op] ?? `RETURN_${op}`).replace(/^OP_/, '')}`
}

const TYPES: readonly (readonly [type: string, script: RegExp])[] = [
  ['empty', /^$/],
  ['op_return', /^6a/],
  ['p2pk', /^(?:21[0-9a-f]{66}|41[0-9a-f]{130})ac$/],
  ['p2pkh', /^76a914[0-9a-f]{40}88ac$/],
  ['p2sh', /^a914[0-9a-f]{40}87$/],
  ['v0_p2wpkh', /^0014[0-9a-f]{40}$/],
  ['v0_p2wsh', /^0020[0-9a-f]{64}$/],
  ['v1_p2tr', /^5120[0-9a-f]{64}$/],
]

/** Esplora's name for the form of an output script. */
export const typeOf = (script: string) => TYPES.find(([, form]) => form.test(script))?.[0] ?? 'unknown'
