import type { OwnProof, PublishedRoot } from '../../../contract/money/liabilities.ts'
import type { SESSION_KEY } from '../../../islands/lib/guard.ts'
import { saveFile } from '../../../islands/lib/saveFile.ts'
import { get } from '../../../layouts/publicApi.ts'
import { runWhileBusy } from '../../../layouts/runWhileBusy.ts'
import {
  describeVerdict,
  getProofFileName,
  type Line,
  listProofLines,
  readProof,
  verifyOwnProof,
} from './proof.ts'

const NO_PROOF =
  'There is no proof for you. Your balance was zero when the newest total was computed, that was more than a week ago, or nothing is published yet. If you had a balance at that moment, write to support with the reference LIA-NO-PROOF.'
const NO_PROOF_TEXT = 'This is not a proof from this page. Choose the file, or paste its whole text.'
const SESSION_ENDED = 'Your session has ended. Please sign in again.'

/** Repeated here, because importing it would add the islands' client to the page. */
const SESSION = 'user-info' satisfies typeof SESSION_KEY

/** Checks the visitor’s own balance, or a saved proof, against the published root. */
export class BalanceCheck extends HTMLElement {
  #proof: OwnProof | null = null

  connectedCallback(): void {
    this.#setSignedIn(readStoredToken() !== null)
    this.#onClick('.in button', () => this.#checkOwn())
    this.#onClick('.save', async () => this.#save())
    const form = this.querySelector('form')
    form?.addEventListener('submit', (event) => {
      event.preventDefault()
      void runWhileBusy(form.querySelector('button'), () => this.#checkSaved())
    })
    this.querySelector('input')?.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLInputElement) void this.#take(target)
    })
  }

  async #checkOwn() {
    const token = readStoredToken()
    if (token === null) return this.#endSession()
    const answer = await get<OwnProof>('/users/liability-proof', token)
    if (answer.state === 'answered') return this.#check(answer.body, true)
    if (answer.status === 401) return this.#endSession()
    this.#refuse(answer.status === 404 ? NO_PROOF : answer.msg)
  }

  async #take(input: HTMLInputElement) {
    const [file] = input.files ?? []
    const area = this.querySelector('textarea')
    if (file === undefined || area === null) return
    area.value = file.size > 50_000 ? '' : await file.text()
    await this.#checkSaved()
  }

  async #checkSaved() {
    const proof = readProof(this.querySelector('textarea')?.value ?? '')
    return proof === null ? this.#refuse(NO_PROOF_TEXT) : this.#check(proof, false)
  }

  /** Requests the published root without the session, so that it is the one that everybody sees. */
  async #check(proof: OwnProof, isOwn: boolean) {
    const answer = await get<PublishedRoot[]>(`/liabilities?day=${proof.day}`)
    const published = answer.state === 'answered' ? (answer.body[0] ?? null) : undefined
    const verdict = await verifyOwnProof(proof, published)
    const words = describeVerdict(verdict, proof)
    this.#proof = proof
    this.#refuse('')
    this.#say('#verdict', words.title)
    this.#say('.says', words.says)
    this.#say('.todo', words.todo ?? '')
    this.#hide('.save, .keep', !isOwn)
    this.#hide('.statement', verdict.is !== 'included' || readStoredToken() === null)
    this.#hide('.support', words.todo === null)
    const lines = listProofLines(verdict, proof)
    this.#hide('h4', lines.length === 0)
    this.querySelector('.steps')?.replaceChildren(...lines.map(renderLine))
    const outcome = this.querySelector<HTMLElement>('.outcome')
    if (outcome) {
      outcome.dataset.is = verdict.is
      outcome.hidden = false
    }
    this.querySelector<HTMLElement>('#verdict')?.focus()
  }

  #save() {
    if (this.#proof === null) return
    const text = `${JSON.stringify(this.#proof, null, 2)}\n`
    saveFile(getProofFileName(this.#proof), new Blob([text], { type: 'application/json' }))
  }

  #endSession() {
    this.#setSignedIn(false)
    this.#refuse(SESSION_ENDED)
  }

  /** Shows why there is no result. A blank message clears it. */
  #refuse(words: string) {
    this.#say('.wrong', words)
    this.#hide('.outcome', true)
  }

  #setSignedIn(isSignedIn: boolean) {
    this.#hide('.in', !isSignedIn)
    this.#hide('.out', isSignedIn)
  }

  #onClick(button: string, work: () => Promise<void>) {
    const clicked = this.querySelector(button)
    clicked?.addEventListener('click', () => void runWhileBusy(clicked, work))
  }

  #say(place: string, words: string) {
    this.querySelector(place)?.replaceChildren(words)
  }

  #hide(places: string, isHidden: boolean) {
    for (const place of this.querySelectorAll<HTMLElement>(places)) place.hidden = isHidden
  }
}

function readStoredToken(): string | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(SESSION) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('token' in kept)) return null
    return typeof kept.token === 'string' && kept.token !== '' ? kept.token : null
  } catch {
    return null
  }
}

function renderLine({ says, values }: Line): HTMLElement {
  const item = document.createElement('li')
  const list = document.createElement('dl')
  list.replaceChildren(
    ...Object.entries(values).flatMap(([name, value]) => {
      const [term, detail] = [document.createElement('dt'), document.createElement('dd')]
      term.textContent = name
      detail.textContent = value
      return [term, detail]
    }),
  )
  item.replaceChildren(says, ...(list.hasChildNodes() ? [list] : []))
  return item
}
