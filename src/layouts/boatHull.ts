type Point = readonly [x: number, y: number]

// Lengthwise sections of a hull, from stern to bow, as control points of three joined curves. The waterline is y = 0; y
// grows downwards.
const NEAR_THE_KEEL: readonly Point[] = [
  [-240, 0],
  [-200, 26],
  [-156, 54],
  [-92, 98],
  [-34, 138],
  [56, 134],
  [122, 92],
  [170, 60],
  [208, 26],
  [230, 0],
]
const NEAR_THE_SIDE: readonly Point[] = [
  [-176, 0],
  [-148, 10],
  [-112, 20],
  [-62, 28],
  [-12, 36],
  [48, 34],
  [92, 24],
  [118, 18],
  [138, 8],
  [152, 0],
]
const CUTS = 6

/** The lines plan of a sailing boat with a long keel, seen from its side. Decoration, not data. */
export const hull = {
  /** The underwater outline, from stern to bow. */
  profile:
    'M-252 0C-228 16 -204 28 -176 36L-118 158Q-112 168 -96 168L-10 164C72 158 142 118 188 74C216 46 238 18 252 0',
  rudder: 'M-176 36L-190 31Q-178 96 -152 150Q-142 170 -118 158',
  cuts: Array.from({ length: CUTS }, (_, index) => drawSection(index / (CUTS - 1))),
  /** Grid lines, to be clipped by the profile. */
  grid: `${[-200, -150, -100, -50, 0, 50, 100, 150, 200].map((x) => `M${x} 0V170`).join('')}${[34, 68, 102, 136].map((y) => `M-260 ${y}H260`).join('')}`,
  topsides: 'M-252 0C-290 -18 -308 -30 -318 -44C-160 -22 130 -24 322 -62C300 -36 276 -16 252 0',
  cabin: 'M-116 -33L-100 -52H34L56 -36',
  rig: 'M62 -36V-252M62 -64H-138M62 -246L-134 -70M62 -246L318 -60M62 -246L-316 -44',
}

/** The section at a position between keel (0) and side (1). */
function drawSection(towardsTheSide: number): string {
  const [start, ...rest] = NEAR_THE_KEEL.map(([x, y], corner) => {
    const [sideX, sideY] = NEAR_THE_SIDE[corner] ?? [x, y]
    return `${Math.round(x + (sideX - x) * towardsTheSide)} ${Math.round(y + (sideY - y) * towardsTheSide)}`
  })
  return `M${start}C${rest.join(' ')}`
}
