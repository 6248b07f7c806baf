import { type GeoContext, geoEqualEarth, geoPath } from 'd3-geo'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'world-atlas/land-110m.json' with { type: 'json' }
import { drawRules, type Point } from './rulesAcross.ts'

/** The map's size in its own units. It ends below South America: Antarctica would be a quarter of the picture. */
export const MAP = { width: 1000, height: 440 }

// Equal Earth preserves areas, and its parallels are straight.
const projection = geoEqualEarth().fitWidth(MAP.width, { type: 'Sphere' })

const STEP = 5

/** A place's position on the map, in its units. */
export function placeOnMap({ longitude, latitude }: { longitude: number; latitude: number }) {
  const [x = 0, y = 0] = projection([longitude, latitude]) ?? []
  return { x: Math.round(x), y: Math.round(y) }
}

export const EQUATOR = placeOnMap({ longitude: 0, latitude: 0 }).y

/**
 * The land as horizontal lines: a path for the part above the equator, and one for the part below. Outlines would take three
 * times the bytes.
 */
export function drawLand(): { above: string; below: string } {
  const rings = listLandRings()
  return {
    above: drawRules(rings, { from: EQUATOR - STEP / 2, to: 0, step: -STEP }),
    below: drawRules(rings, { from: EQUATOR + STEP / 2, to: MAP.height, step: STEP }),
  }
}

export function drawMeridians(): string {
  const draw = geoPath(projection).digits(0)
  const lines = Array.from({ length: 13 }, (_, index) => {
    const longitude = index * 30 - 180
    return [84, 30, 0, -30, -58].map((latitude) => [longitude, latitude])
  })
  return draw({ type: 'MultiLineString', coordinates: lines }) ?? ''
}

/** The coasts as closed lines. Points inside an odd number of them are land. */
function listLandRings(): Point[][] {
  const rings: Point[][] = []
  const pen: GeoContext = {
    beginPath: () => undefined,
    moveTo: (x, y) => rings.push([[x, y]]),
    lineTo: (x, y) => rings.at(-1)?.push([x, y]),
    closePath: () => undefined,
    arc: () => undefined,
  }
  geoPath(projection, pen)(feature(getWorldAtlas(), getWorldAtlas().objects.land))
  return rings
}

// The package documents this type.
function getWorldAtlas(): Topology<{ land: GeometryCollection }> {
  return atlas as unknown as Topology<{ land: GeometryCollection }>
}
