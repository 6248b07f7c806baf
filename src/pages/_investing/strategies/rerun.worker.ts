import { rerun } from './rerun.ts'
import type { RerunAsked } from './rerunProtocol.ts'

addEventListener('message', ({ data }: MessageEvent<RerunAsked>) => {
  void rerun(data, (told) => postMessage(told))
})
