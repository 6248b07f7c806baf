import { atom, type ReadableAtom } from 'nanostores'
import type { MailKind, Preferences } from '../../../contract/identity/preferences.ts'
import { describeFailure } from '../../lib/ApiFailure.ts'

export type Choice = 'activityLog' | MailKind
type Choices = Readonly<Record<Choice, boolean>>
type Change = Readonly<Partial<Choices>>

export type PreferencesState =
  | { state: 'loading' }
  | { state: 'failed'; msg: string }
  /** `choices` include clicks that are not saved yet; `problems` say why a choice was not saved. */
  | { state: 'ready'; choices: Choices; problems: Problems }

type Problems = Readonly<Partial<Record<Choice, string | undefined>>>

export interface PreferencesServer {
  load: () => Promise<Preferences>
  save: (change: PreferencesChange) => Promise<Preferences>
}

export interface PreferencesChange {
  activityLog?: boolean
  emails?: Partial<Preferences['emails']>
}

export interface PreferencesStore {
  $state: ReadableAtom<PreferencesState>
  load: () => Promise<void>
  /** Shows the choice at once and saves it. Resolves when everything is saved. */
  choose: (choice: Choice, isOn: boolean) => Promise<void>
}

/**
 * The preferences of the signed-in account. Saves one change at a time; clicks in the meantime go into the next one. So no
 * click is dropped, and no answer overwrites a later click.
 */
export function createPreferencesStore(server: PreferencesServer, onSaved: () => void): PreferencesStore {
  const $state = atom<PreferencesState>({ state: 'loading' })
  let unsaved: Change = {}
  let saving: Promise<void> | null = null

  const show = (saved: Choices, problems: Problems) =>
    $state.set({ state: 'ready', choices: { ...saved, ...unsaved }, problems })

  const saveAll = async (before: Choices) => {
    let saved = before
    while (listEntries(unsaved).length > 0) {
      const sent = unsaved
      let problem: string | undefined
      try {
        saved = toChoices(await server.save(toPreferencesChange(sent)))
        onSaved()
      } catch (error) {
        problem = describeFailure(error)
      }
      // Choices that changed again in the meantime still have to be saved.
      unsaved = removeDone(unsaved, (choice, isOn) => sent[choice] === isOn || saved[choice] === isOn)
      const failed = listEntries(sent).filter(([choice]) => !(choice in unsaved))
      show(saved, {
        ...getProblems($state.get()),
        ...Object.fromEntries(failed.map(([choice]) => [choice, problem])),
      })
    }
  }

  return {
    $state,
    load: async () => {
      if ($state.get().state === 'ready') return
      $state.set({ state: 'loading' })
      try {
        show(toChoices(await server.load()), {})
      } catch (error) {
        $state.set({ state: 'failed', msg: describeFailure(error) })
      }
    },
    choose: (choice, isOn) => {
      const now = $state.get()
      if (now.state !== 'ready') return Promise.resolve()
      unsaved = { ...unsaved, [choice]: isOn }
      $state.set({
        ...now,
        choices: { ...now.choices, ...unsaved },
        problems: { ...now.problems, [choice]: undefined },
      })
      saving ??= saveAll(now.choices).finally(() => {
        saving = null
      })
      return saving
    },
  }
}

function getProblems(state: PreferencesState): Problems {
  return state.state === 'ready' ? state.problems : {}
}

function toChoices({ activityLog, emails }: Preferences): Choices {
  return { activityLog, ...emails }
}

function toPreferencesChange({ activityLog, ...emails }: Change): PreferencesChange {
  return {
    ...(activityLog !== undefined && { activityLog }),
    ...(listEntries(emails).length > 0 && { emails }),
  }
}

function removeDone(change: Change, isDone: (choice: Choice, isOn: boolean) => boolean): Change {
  return Object.fromEntries(listEntries(change).filter(([choice, isOn]) => !isDone(choice, isOn)))
}

function listEntries(change: Change): [Choice, boolean][] {
  return Object.entries(change) as [Choice, boolean][]
}
