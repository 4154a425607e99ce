import type { CapabilityId, ManifestId, State } from '../core/model.ts';

/** Ids of the files that a state names. */
export interface References {
  readonly definitions: ReadonlySet<CapabilityId>;
  readonly manifests: ReadonlySet<ManifestId>;
}

/** Everything that some part of these states may still ask for. */
export function referencesOf(states: readonly State[]): References {
  return {
    definitions: new Set(states.flatMap(definitionsOf)),
    manifests: new Set(states.flatMap(manifestsOf)),
  };
}

function definitionsOf(state: State): CapabilityId[] {
  const entries = Object.values(state.catalogs).flatMap((catalog) => Object.values(catalog));
  const perRef = <T>(table: Readonly<Record<string, Readonly<Record<string, readonly T[]>>>>): T[] =>
    Object.values(table).flatMap((byRef) => Object.values(byRef).flat());
  const ids = [
    ...entries.map((entry) => (entry.state === 'present' ? entry.id : entry.lastId)),
    ...perRef(state.decisions).map((decision) => decision.id),
    ...Object.values(state.rebinds).flatMap((all) =>
      all.flatMap(({ retired }) => Object.values(retired).flatMap((made) => made.map(({ id }) => id))),
    ),
    ...perRef(state.seen),
    ...state.incidents.flatMap(({ reviews }) => reviews.flatMap((review) => [review.fromId, review.targetId])),
  ];
  return ids.filter((id): id is CapabilityId => id !== null);
}

function manifestsOf(state: State): ManifestId[] {
  return [
    ...Object.values(state.publications).map((publication) => publication.manifestId),
    ...Object.values(state.lastListed).flatMap((lists) => Object.values(lists).map(({ manifestId }) => manifestId)),
  ];
}
