import type { SettingKey } from '../../../contract/console/settingList.ts'
import { EFFECT_DAYS, previewSettings, type SettingEffect } from '../../../contract/console/settings.ts'
import type { SettingsInput } from '../../../contract/console/settingValues.ts'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'

/** The effect that changed settings would have had in the last days. Empty for settings that are no weight, limit or ceiling. */
export function SettingEffects({ settings }: { settings: SettingsInput<SettingKey> }) {
  const effects = useResource(`setting effects ${JSON.stringify(settings)}`, () =>
    call(previewSettings, { body: { settings } }),
  )
  if (effects.state === 'failed') return <p className="soft">{effects.msg}</p>
  if (effects.state === 'loading') return <Skeleton width="long" />
  if (effects.data.length === 0) return null
  return (
    <section aria-label="What it would have done" className="stack">
      <h4>What it would have done</h4>
      {effects.data.map((effect) => (
        <Effect key={`${effect.setting} ${effect.of}`} effect={effect} />
      ))}
    </section>
  )
}

function Effect({ effect }: { effect: SettingEffect }) {
  const { of, total, isWhole, before, after, changed, cases } = effect
  if (total === 0)
    return <p className="soft">{`No ${of} in the last ${EFFECT_DAYS} days to compare with.`}</p>
  return (
    <p>
      <span>
        {`${after} of ${isWhole ? `${total} ${of} in the last ${EFFECT_DAYS} days` : `the newest ${total} ${of}`} would have ${describeConsequence(effect)}. With the present value: ${before}. `}
      </span>
      {changed > 0 && (
        <span>
          <span>{changed === 1 ? 'The difference: ' : `The ${changed} that differ: `}</span>
          {cases.map(({ _id, ref }, place) => (
            <span key={_id}>
              <span>{place > 0 && ', '}</span>
              <a translate="no" href={`/operator/${of}?status=&open=${_id}`}>
                {ref}
              </a>
            </span>
          ))}
          <span>{changed > cases.length ? ' and older ones.' : '.'}</span>
        </span>
      )}
    </p>
  )
}

function describeConsequence({ setting }: SettingEffect): string {
  if (setting.startsWith('risk.')) return 'had a high risk'
  return setting === 'dailyCeilings.credits' || setting === 'dailyCeilings.payouts'
    ? 'had to wait for the next day'
    : 'needed a second operator'
}
