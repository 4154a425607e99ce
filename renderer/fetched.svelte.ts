/** Something a screen asks for by itself: asked again whenever what `load` reads has changed. */
export class Fetched<T> {
  value = $state.raw<T | null>(null);
  state = $state<'loading' | 'here' | 'failed'>('loading');
  readonly #load: () => Promise<T | null>;
  #turn = 0;

  /** Made while a component is set up; ends with it. `null` from `load` means that it failed, and why stands elsewhere. */
  constructor(load: () => Promise<T | null>) {
    this.#load = load;
    $effect(() => {
      void this.again();
    });
  }

  async again(): Promise<void> {
    const turn = (this.#turn += 1);
    const value = await this.#load();
    if (turn !== this.#turn) return; // a newer question is under way
    if (value !== null) this.value = value;
    this.state = value === null && this.value === null ? 'failed' : 'here';
  }
}
