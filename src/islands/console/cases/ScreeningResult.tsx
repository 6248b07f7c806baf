import type { ListEntry, ScreeningRecord } from '../../../contract/console/cases.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import type { Fact } from '../../../design/Facts.tsx'

/** The result of the comparison with the sanctions list, as a fact of a case. `address` names the other compared thing besides the names. */
export function listScreeningFact(screening: ScreeningRecord | null | undefined, address?: string): Fact {
  return {
    label: 'Sanctions list',
    value: screening ? <ScreeningResult screening={screening} address={address} /> : 'Not screened',
  }
}

/** The entries of a sanctions list that may be meant. */
function ListEntries({ entries }: { entries: readonly ListEntry[] }) {
  return entries.map(({ uid, name, programs, born, country }) => (
    <div key={`${uid} ${name}`}>
      <bdi translate="no">{name}</bdi>
      <span>{born !== null && `, born ${born}`}</span>
      <span>{country !== undefined && `, ${country}`}</span>
      <span className="soft">{`, entry ${uid}${programs === '' ? '' : `, ${programs}`}`}</span>
    </div>
  ))
}

function ScreeningResult({
  screening,
  address,
}: {
  screening: ScreeningRecord
  address: string | undefined
}) {
  const { at, list, listDate, listHash, hits, matches, hit } = screening
  return (
    <>
      <strong>{hits === 0 ? 'No hit' : hits === 1 ? 'Possible hit' : `${hits} possible hits`}</strong>
      <ListEntries entries={matches} />
      {hit && (
        <div>
          <a href={`/operator/sanctions?status=&open=${hit._id}`}>
            {hit.cleared === null ? 'Compliance has not cleared it' : 'Cleared'}
          </a>
          {hit.cleared !== null && (
            <span>
              {' '}
              by <bdi>{hit.cleared.by}</bdi>, <DateTime at={hit.cleared.at} />:{' '}
              <bdi>{hit.cleared.reason}</bdi>
            </span>
          )}
        </div>
      )}
      <div className="soft small">
        <span>
          {list} {listDate}, <code translate="no">{listHash.slice(0, 12)}</code>,{' '}
        </span>
        <DateTime at={at} />
      </div>
      {address !== undefined && screening.address === null && (
        <div className="soft small">{`Names only: the ${address} is not known.`}</div>
      )}
    </>
  )
}
