import type { FieldValue } from './formControls.ts'
import type { OpenSubmission } from './idempotency.ts'
import { currentSession } from './session.ts'

const DRAFTS_KEY = 'drafts'

/** How long a draft is taken up again, in milliseconds: well within the day that the server knows a submission by its key. */
const KEPT_MS = 12 * 3_600_000

/** Never kept, whatever form they stand in. */
const SECRET = /^(code|passkey|token|\w*password)$/i

export type DraftValues = Readonly<Record<string, FieldValue>>

/** What somebody typed into one form and has not sent, or not for sure. */
export interface Draft {
  values: DraftValues
  /** The submission of which it isn't known whether it arrived. */
  open?: OpenSubmission | undefined
  atMs: number
}

/** By whose they are, by the name of the form. */
type Drafts = Record<string, Record<string, Draft>>

/**
 * What whoever is signed in left in a form of this tab: it outlives a reload and a session that ended, and nobody else
 * who signs in here gets to see it.
 */
export function draftOf(name: string, whose = draftOwner()): Draft | undefined {
  const draft = read()[whose]?.[name]
  return draft && Date.now() - draft.atMs < KEPT_MS ? draft : undefined
}

/** Keeps a part of a draft, and what is there of the rest; without its secrets. */
export function keepDraft(name: string, part: Partial<Draft>, whose = draftOwner()): void {
  const drafts = read()
  const before = draftOf(name, whose) ?? { values: {} }
  const { values, ...others } = { ...before, ...part, atMs: Date.now() }
  const harmless = Object.entries(values).filter(([field]) => !SECRET.test(field))
  drafts[whose] = { ...drafts[whose], [name]: { values: Object.fromEntries(harmless), ...others } }
  write(drafts)
}

/** What it held was sent, or is not wanted any more. */
export function dropDraft(name: string, whose = draftOwner()): void {
  const drafts = read()
  delete drafts[whose]?.[name]
  write(drafts)
}

/** Forgets what everybody typed in this tab, but for one person and for who was not signed in. */
export function forgetDrafts(except?: string): void {
  const kept = except === undefined ? {} : read()
  write(Object.fromEntries(Object.entries(kept).filter(([whose]) => whose === except || whose === NOBODY)))
}

const NOBODY = ''

/** Who types here. A form asks once, when it is opened: what stands in it stays theirs when their session ends. */
export function draftOwner(): string {
  return currentSession()?.email ?? NOBODY
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
    // A browser that keeps nothing has the form as long as the page stands.
  }
}
