import { lazy, Suspense, useSyncExternalStore } from 'react'
import { ErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Tabs } from '../../../design/Tabs.tsx'
import { WithAside } from '../../../design/WithAside.tsx'
import { useResource } from '../../lib/resource.ts'
import { useSession } from '../../lib/useSession.ts'
import { Notifications } from './Notifications.tsx'
import { Personal } from './Personal.tsx'
import { loadProfile, type Person, restoreName } from './person.ts'
import { TaxResidence } from './TaxResidence.tsx'

// The largest tab, which the first one does not need.
const Security = lazy(async () => ({ default: (await import('./Security.tsx')).Security }))

interface ProfileProps {
  /** An operator's profile is a page of the console, without what concerns investors only. */
  isOperator?: boolean
}

/** The URL's hash is the open tab. */
export function Profile({ isOperator = false }: ProfileProps) {
  return (
    <ErrorBoundary home={isOperator ? '/operator' : '/dashboard/overview'}>
      <Screen isOperator={isOperator} />
    </ErrorBoundary>
  )
}

function Screen({ isOperator }: Required<ProfileProps>) {
  const [tab, openTab] = useAddressHash()
  const loaded = useResource('profile', loadProfile)
  const session = useSession()
  const profile =
    loaded.state === 'ready'
      ? { ...loaded, data: { ...loaded.data, person: withWrittenName(loaded.data.person, session?.name) } }
      : loaded
  return (
    <Tabs
      label="Profile"
      selected={tab}
      onSelect={openTab}
      tabs={[
        {
          id: 'personal',
          label: 'Personal Information',
          panel: (
            <WithAside aside={<WhoSeesThis isOperator={isOperator} />}>
              <Personal profile={profile} isOperator={isOperator} />
              {!isOperator && <TaxResidence />}
            </WithAside>
          ),
        },
        {
          id: 'security',
          label: 'Security Information',
          panel: (
            <Suspense fallback={<Skeleton width="full" height="block" />}>
              <Security session={session} />
            </Suspense>
          ),
        },
        { id: 'notifications', label: 'Notifications', panel: <Notifications isOperator={isOperator} /> },
      ]}
    />
  )
}

function withWrittenName(person: Person, name: string | undefined): Person {
  return { ...person, fullname: restoreName(person.fullname, name) }
}

function WhoSeesThis({ isOperator }: Required<ProfileProps>) {
  return (
    <section aria-labelledby="who-sees-this">
      <h2 id="who-sees-this">Who sees this</h2>
      <ul>
        <li>
          {isOperator
            ? 'You and the other operators. An investor sees your name beside your replies.'
            : 'You and the operators who decide on your requests.'}
        </li>
        <li>The audit log records which item changed and when, but not its content.</li>
        <li>Our mails use your full name.</li>
      </ul>
    </section>
  )
}

/** The URL's hash, blank on the server, and a function that replaces it. */
function useAddressHash(): [hash: string, replace: (hash: string) => void] {
  const hash = useSyncExternalStore(subscribe, read, () => '')
  return [hash, setHash]
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

function read(): string {
  return location.hash.slice(1)
}

/** Replaces the history entry, so that "back" leaves the page instead of going through every tab. */
function setHash(hash: string): void {
  location.replace(`#${hash}`)
}
