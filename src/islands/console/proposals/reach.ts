import { formatNumber } from '../../../contract/numbers.ts'
import {
  type AnnouncementTopic,
  getAnnouncementReach,
  MOST_READERS,
  SERVICE,
} from '../../../contract/outreach/announcements.ts'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'

/** Says in a sentence how many people would get an announcement now. */
export function useReach(topic: AnnouncementTopic): string {
  const reach = useResource(`reach of ${topic}`, () => call(getAnnouncementReach, { query: { topic } }))
  if (reach.state === 'failed') return reach.msg
  if (reach.state === 'loading')
    return topic === SERVICE ? 'Counting the investors…' : 'Counting the subscribers…'
  return `${describeReaders(topic, reach.data.readers)} would get it now.`
}

function describeReaders(topic: AnnouncementTopic, count: number): string {
  const [reader, readers] = topic === SERVICE ? ['investor', 'investors'] : ['person', 'people']
  if (count >= MOST_READERS) return `${formatNumber(MOST_READERS)} ${readers} or more`
  return count === 1 ? `1 ${reader}` : `${formatNumber(count)} ${readers}`
}
