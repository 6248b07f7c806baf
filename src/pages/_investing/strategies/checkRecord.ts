import { formatDay } from '../../../contract/dates.ts'
import type { RecordEntry, StrategyDetail } from '../../../contract/investing/strategies.ts'
import { saveFile } from '../../../islands/lib/saveFile.ts'
import { type Answer, get } from '../../../layouts/publicApi.ts'
import { LoadError } from './clickable.ts'
import { recordCourse } from './course.ts'
import { createElement } from './element.ts'
import { readByDay } from './exploreChart.ts'
import { count } from './figures.ts'
import { recordChart } from './recordChart.ts'
import {
  describeLateValuations,
  describeNotedHash,
  describeVerdict,
  type FetchedRecord,
  isSameDefinition,
  verifyRecord,
} from './recordVerdict.ts'

/** Fetches a whole record, verifies its hashes and shows the result, with a chart if the chain is intact. */
export async function checkRecord(place: HTMLElement): Promise<void> {
  const { slug = '', name = '' } = place.dataset
  const status = place.querySelector('.explore [role]')
  const outcome = place.querySelector<HTMLElement>('.outcome')
  if (!status || !outcome) throw new Error('The record has lost a part.')
  outcome.hidden = true
  place.querySelector('figure')?.remove()
  status.textContent = 'Loading the record …'
  const fetched = await fetchRecord(slug, (many) => {
    status.textContent = `Loading the record: ${count(many)} valuations …`
  })
  const { detail, record } = fetched
  const verdict = await verifyRecord(fetched)
  const { title, text } = describeVerdict(verdict, record)
  const heading = createElement('h3', title)
  heading.tabIndex = -1
  const isChain = verdict.is === 'chain'
  const course = isChain ? recordCourse(name, record, detail.band) : null
  const chart = course && recordChart(course)
  outcome.replaceChildren(
    heading,
    createElement('p', [text, describeLateValuations(record)].join(' ')),
    createElement('p', describeRules(detail.definition)),
    ...renderCheckLimits(fetched, place.querySelector('button')?.className ?? ''),
  )
  outcome.dataset.is = isChain ? 'match' : verdict.is === 'empty' ? 'empty' : 'other'
  outcome.dataset.claim = 'record-frozen'
  outcome.hidden = false
  if (chart && course) {
    outcome.insertAdjacentElement('afterend', chart)
    readByDay(chart, course)
  }
  heading.focus()
}

/** Fetches all pages of a record. `onProgress` receives the number of valuations so far. Throws `LoadError`. */
async function fetchRecord(slug: string, onProgress: (fetched: number) => void): Promise<FetchedRecord> {
  const { body: detail } = requireAnswer(await get<StrategyDetail>(`/strategies/${slug}`))
  const record: RecordEntry[] = []
  for (let path: string | null = `/strategies/${slug}/record?limit=100`; path !== null; ) {
    const page: { body: RecordEntry[]; next: string | null } = requireAnswer(await get<RecordEntry[]>(path))
    record.push(...page.body)
    onProgress(record.length)
    path = page.next
  }
  return { detail, record: record.reverse() }
}

function requireAnswer<Body>(answer: Answer<Body>) {
  if (answer.state === 'failed') throw new LoadError(answer.msg)
  return answer
}

function describeRules(definition: unknown): string {
  const onPage = document.querySelector<HTMLElement>('strategy-record')?.dataset.definition ?? '{}'
  return isSameDefinition(definition, onPage)
    ? 'The frozen rules are the ones that this page describes.'
    : 'The frozen rules differ from the ones on this page. The record follows the frozen rules. The test on this page uses others.'
}

/** Explains the limits of the check, and what to save for a stronger check later. */
function renderCheckLimits({ detail, record }: FetchedRecord, buttonClass: string): HTMLElement[] {
  const last = record.at(-1)
  const save = createElement('button', 'Save a copy')
  save.type = 'button'
  save.className = buttonClass
  save.addEventListener('click', () => {
    const { slug, definition, hash, band } = detail
    const copy = { strategy: slug, fetchedAt: new Date().toISOString(), hash, definition, band, record }
    saveFile(
      `${slug}-record-${last?.day ?? 'empty'}.json`,
      new Blob([JSON.stringify(copy, null, 1)], { type: 'application/json' }),
    )
  })
  return [
    createElement(
      'p',
      'This check cannot detect a chain that was rebuilt as a whole, unless you kept an earlier hash. Note the newest hash, or save a copy of the record.',
    ),
    createElement(
      'p',
      last ? `Newest hash, of the ${last.kind} of ${formatDay(last.day)}: ` : 'Hash of the rules: ',
      createElement('code', last?.hash ?? detail.hash),
    ),
    createElement('p', save),
    ...(record.length > 0 ? renderEarlierHashField(record) : []),
  ]
}

function renderEarlierHashField(record: FetchedRecord['record']): HTMLElement[] {
  const input = createElement('input')
  input.className = 'input'
  input.spellcheck = false
  input.autocomplete = 'off'
  const result = createElement('p')
  result.role = 'status'
  input.addEventListener('input', () => {
    result.textContent = describeNotedHash(input.value, record)
  })
  return [createElement('label', 'A hash that you noted earlier', input), result]
}
