import type { FieldValue } from './formControls.ts'
import type { OpenSubmission } from './idempotency.ts'
import { getSession } from './session.ts'

const DRAFTS_KEY = 'drafts'

/** How long a draft is kept, in milliseconds. Shorter than the day for which the server keeps idempotency keys. */
const KEPT_MS = 12 * 3_600_000

/** Fields that are never stored. */
const SECRET = /^(code|passkey|token|\w*password)$/i

export type DraftValues = Readonly<Record<string, FieldValue>>

/** The input of one form that was not sent, or whose answer never arrived. */
export interface Draft {
  values: DraftValues
  /** The submission whose outcome is unknown. */
  open?: OpenSubmission | undefined
  atMs: number
}

/** By owner, then by the name of the form. */
type Drafts = Record<string, Record<string, Draft>>

/** The owner's draft of a form in this tab. It survives a reload and the end of the session. Other users never see it. */
export function findDraft(name: string, owner = getDraftOwner()): Draft | undefined {
  const draft = read()[owner]?.[name]
  return draft && Date.now() - draft.atMs < KEPT_MS ? draft : undefined
}

/** Updates a part of a draft. Secrets are left out. */
export function saveDraft(name: string, part: Partial<Draft>, owner = getDraftOwner()): void {
  const drafts = read()
  const before = findDraft(name, owner) ?? { values: {} }
  const { values, ...others } = { ...before, ...part, atMs: Date.now() }
  const storable = Object.entries(values).filter(([field]) => !SECRET.test(field))
  drafts[owner] = { ...drafts[owner], [name]: { values: Object.fromEntries(storable), ...others } }
  write(drafts)
}

/** Deletes a draft that was sent or discarded. */
export function deleteDraft(name: string, owner = getDraftOwner()): void {
  const drafts = read()
  delete drafts[owner]?.[name]
  write(drafts)
}

/** Deletes all drafts of this tab except those of one owner and of visitors. */
export function clearDrafts(except?: string): void {
  const kept = except === undefined ? {} : read()
  write(Object.fromEntries(Object.entries(kept).filter(([owner]) => owner === except || owner === VISITOR)))
}

const VISITOR = ''

/** The owner of new drafts. Forms read it once, on opening: the input stays theirs when the session ends. */
export function getDraftOwner(): string {
  return getSession()?.email ?? VISITOR
}

function read(): Drafts {
  try {
    return JSON.parse(sessionStorage.getItem(DRAFTS_KEY) ?? '{}') as Drafts
  } catch {
    return {}
  }
}

function write(drafts: Drafts): void {
  try {
    sessionStorage.setItem(DRAFTS_KEY, JSON.stringify(drafts))
  } catch {
    // Without storage, the input lasts as long as the page.
  }
}
