import { base64, hex } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import { RawPSBTV0, RawPSBTV2 } from '@scure/btc-signer/psbt.js'
import { ChainError } from '../chainError.ts'
import { type BitcoinTransaction, parseTransaction } from './transaction.ts'

/** A file from a signing device: the transaction, and the signature data of each input. */
export interface SignedFile {
  transaction: BitcoinTransaction
  inputs: SignedInput[]
}

export interface SignedInput {
  /** ECDSA signatures by compressed key, hex. */
  partial: { publicKey: string; signature: string }[]
  taprootSignature: string | null
  /** Complete witnesses, hex; empty if it is not complete. */
  witness: string[]
  /** The sighash type that the file asks for, if any. */
  sighash: number | null
  /** Whether it has signatures for scripts that the descriptor does not have. */
  hasOther: boolean
}

/** Reads a PSBT (binary, base64 or hex) or a raw transaction in hex. */
export function readSignedFile(file: string | Uint8Array): SignedFile {
  const bytes = typeof file === 'string' ? decodeText(file.replace(/\s+/g, '')) : file
  return isPsbt(bytes) ? readPsbt(bytes) : readRaw(hex.encode(bytes))
}

const MAXIMUM_BYTES = 4_000_000

function createUnreadableError(): ChainError {
  return new ChainError('unreadable', 'The file is neither a valid PSBT nor a raw transaction.')
}

function decodeText(text: string): Uint8Array {
  if (text.length > 2 * MAXIMUM_BYTES) throw createUnreadableError()
  try {
    return /^(?:[0-9a-fA-F]{2})+$/.test(text) ? hex.decode(text) : base64.decode(text)
  } catch {
    throw createUnreadableError()
  }
}

/** `psbt` and the byte 0xff. */
function isPsbt(bytes: Uint8Array): boolean {
  return hex.encode(bytes.subarray(0, 5)) === '70736274ff'
}

function readRaw(raw: string): SignedFile {
  const transaction = parseTransaction(raw)
  return {
    transaction,
    inputs: transaction.inputs.map(({ witness }) => ({
      partial: [],
      taprootSignature: null,
      witness,
      sighash: null,
      hasOther: false,
    })),
  }
}

function readPsbt(bytes: Uint8Array): SignedFile {
  const psbt = decodePsbt(bytes)
  const inputs = Array.from({ length: psbt.inputsLength }, (_, i) => psbt.getInput(i))
  const outputs = Array.from({ length: psbt.outputsLength }, (_, i) => psbt.getOutput(i))
  return {
    transaction: {
      version: psbt.version,
      lockTime: psbt.lockTime,
      inputs: inputs.map(({ txid, index, sequence, finalScriptSig }) => ({
        txid: toHexOrEmpty(txid),
        vout: index ?? -1,
        sequence: sequence ?? 0xffffffff,
        script: toHexOrEmpty(finalScriptSig),
        witness: [],
      })),
      outputs: outputs.map(({ script, amount }) => ({ script: toHexOrEmpty(script), value: amount ?? -1n })),
    },
    inputs: inputs.map((input) => ({
      partial: (input.partialSig ?? []).map(([key, signature]) => ({
        publicKey: toHexOrEmpty(key),
        signature: toHexOrEmpty(signature),
      })),
      taprootSignature: input.tapKeySig === undefined ? null : toHexOrEmpty(input.tapKeySig),
      witness: (input.finalScriptWitness ?? []).map(toHexOrEmpty),
      sighash: input.sighashType ?? null,
      hasOther: (input.tapScriptSig?.length ?? 0) > 0,
    })),
  }
}

function decodePsbt(bytes: Uint8Array): Transaction {
  // Scripts and amounts in the file do not matter: signatures are verified against the payout that we built.
  const options = {
    allowUnknownInputs: true,
    allowUnknownOutputs: true,
    allowUnknownVersion: true,
    disableScriptCheck: true,
  }
  // A previous transaction that does not match its input makes a file unreadable. Without it, the comparison names the swapped input.
  const attempts = [
    () => bytes,
    () => dropPreviousTransactions(RawPSBTV0, bytes),
    () => dropPreviousTransactions(RawPSBTV2, bytes),
  ]
  for (const attempt of attempts) {
    try {
      return Transaction.fromPSBT(attempt(), options)
    } catch {}
  }
  throw createUnreadableError()
}

interface PsbtCoder<T> {
  decode: (bytes: Uint8Array) => T
  encode: (psbt: T) => Uint8Array
}

function dropPreviousTransactions<T extends { inputs: { nonWitnessUtxo?: unknown }[] }>(
  { decode, encode }: PsbtCoder<T>,
  bytes: Uint8Array,
): Uint8Array {
  const psbt = decode(bytes)
  for (const input of psbt.inputs) delete input.nonWitnessUtxo
  return encode(psbt)
}

function toHexOrEmpty(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : hex.encode(bytes)
}
