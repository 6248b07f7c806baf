import { expect, test, vi } from 'vitest'
import { DEFAULT_PREFERENCES, type Preferences } from '../../../contract/identity/preferences.ts'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { createPreferencesStore, type PreferencesChange, type PreferencesState } from './preferences.ts'

test('a choice shows at once, is sent alone, and is told of once it is saved', async () => {
  const { store, server, onSaved } = await loaded()
  const saving = store.choose('tips', false)
  expect(choicesOf(store.$state.get()).tips).toBe(false)
  expect(onSaved).not.toHaveBeenCalled()
  await saving
  expect(server.sent).toEqual([{ emails: { tips: false } }])
  expect(onSaved).toHaveBeenCalledOnce()
  expect(choicesOf(store.$state.get()).tips).toBe(false)
})

test('what is pressed while something is saved goes with the next change, and nothing flickers back', async () => {
  const { store, server } = await loaded()
  const seen: unknown[] = []
  store.$state.listen((state) => {
    const { tips, features, activityLog } = choicesOf(state)
    seen.push([tips, features, activityLog])
  })
  void store.choose('tips', false)
  void store.choose('features', false)
  await store.choose('activityLog', false)
  expect(server.sent).toEqual([
    { emails: { tips: false } },
    { activityLog: false, emails: { features: false } },
  ])
  expect(new Set(seen.map((each) => JSON.stringify(each)))).toEqual(
    new Set(['[false,true,true]', '[false,false,true]', '[false,false,false]']),
  )
})

test('of presses on one switch the last one holds', async () => {
  const { store, server } = await loaded()
  void store.choose('tips', false)
  void store.choose('tips', true)
  await store.choose('tips', false)
  expect(server.sent).toEqual([{ emails: { tips: false } }])
  void store.choose('tips', true)
  await store.choose('tips', false)
  expect(server.sent.slice(1)).toEqual([{ emails: { tips: true } }, { emails: { tips: false } }])
  expect(server.kept.emails.tips).toBe(false)
})

test('what cannot be saved goes back and says why, until it is pressed again', async () => {
  const { store, server, onSaved } = await loaded()
  server.failsWith = new ApiFailure(503, { msg: 'We cannot answer right now.', code: 'unavailable' })
  await store.choose('salesNews', false)
  expect(store.$state.get()).toEqual({
    state: 'ready',
    choices: { activityLog: true, ...DEFAULT_PREFERENCES.emails },
    problems: { salesNews: 'We cannot answer right now.' },
  })
  expect(onSaved).not.toHaveBeenCalled()
  server.failsWith = null
  const saving = store.choose('salesNews', false)
  expect(problemsOf(store.$state.get()).salesNews).toBeUndefined()
  await saving
  expect(server.kept.emails.salesNews).toBe(false)
})

test('a failure takes back what was sent, and not what was pressed meanwhile', async () => {
  const { store, server } = await loaded()
  server.failsWith = new ApiFailure(503, { msg: 'We cannot answer right now.', code: 'unavailable' })
  void store.choose('tips', false)
  const rest = store.choose('features', false)
  server.failsWith = null
  server.failsOnce = true
  await rest
  expect(choicesOf(store.$state.get())).toMatchObject({ tips: true, features: false })
  expect(problemsOf(store.$state.get())).toMatchObject({ tips: 'Not now.' })
  expect(problemsOf(store.$state.get()).features).toBeUndefined()
})

test('what another browser changed meanwhile comes with the answer', async () => {
  const { store, server } = await loaded()
  server.kept = { ...server.kept, emails: { ...server.kept.emails, features: false } }
  await store.choose('tips', false)
  expect(choicesOf(store.$state.get())).toMatchObject({ tips: false, features: false })
})

test('what cannot be loaded says why, and is loaded at another try, then no more', async () => {
  const server = new Server()
  const load = vi.spyOn(server, 'load').mockRejectedValueOnce(new ApiFailure(503, { msg: 'Not now.' }))
  const store = createPreferencesStore(server, vi.fn())
  await store.load()
  expect(store.$state.get()).toEqual({ state: 'failed', msg: 'Not now.' })
  await store.choose('tips', false)
  expect(server.sent).toEqual([])
  await store.load()
  await store.load()
  expect(store.$state.get().state).toBe('ready')
  expect(load).toHaveBeenCalledTimes(2)
})

class Server {
  kept: Preferences = DEFAULT_PREFERENCES
  readonly sent: PreferencesChange[] = []
  failsWith: ApiFailure | null = null
  failsOnce = false

  async load(): Promise<Preferences> {
    return this.kept
  }

  async save(change: PreferencesChange): Promise<Preferences> {
    this.sent.push(change)
    await Promise.resolve()
    if (this.failsWith) throw this.failsWith
    if (this.failsOnce) {
      this.failsOnce = false
      throw new ApiFailure(503, { msg: 'Not now.' })
    }
    this.kept = { ...this.kept, ...change, emails: { ...this.kept.emails, ...change.emails } }
    return this.kept
  }
}

async function loaded() {
  const server = new Server()
  const onSaved = vi.fn()
  const store = createPreferencesStore(server, onSaved)
  await store.load()
  return { store, server, onSaved }
}

function choicesOf(state: PreferencesState) {
  if (state.state !== 'ready') throw new Error('Nothing was loaded')
  return state.choices
}

function problemsOf(state: PreferencesState) {
  if (state.state !== 'ready') throw new Error('Nothing was loaded')
  return state.problems
}
