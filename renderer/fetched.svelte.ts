/** Something a screen asks for by itself. */
export class Fetched<T> {
  value = $state.raw<T | null>(null);
  state = $state<'loading' | 'here' | 'failed'>('loading');
  readonly #load: () => Promise<T | null>;
  #turn = 0;

  /**
   * Made while a component is set up; ends with it. Asked again whenever `when` tells something else. `null` from `load`
   * means that it failed, and why stands elsewhere.
   */
  constructor(when: () => unknown, load: () => Promise<T | null>) {
    this.#load = load;
    $effect(() => {
      when();
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
