// The services that the person has added, and the reports that each of them offers.
import { SvelteMap } from 'svelte/reactivity';

import { asError, type Api } from './api';
import type { CatalogueView, ErrorView, ExportView, OperationView, ServiceView } from './bindings';

export class Services {
  all = $state.raw<ServiceView[]>([]);
  readonly catalogues = new SvelteMap<string, CatalogueView>();
  /** Why a service's reports could not be had. */
  readonly failures = new SvelteMap<string, ErrorView>();
  readonly #api: Api;
  #told = 0;

  constructor(api: Api) {
    this.#api = api;
  }

  async load(): Promise<void> {
    const told = this.#told;
    const services = await this.#api.services();
    // What was told since this was asked is newer.
    if (told === this.#told) this.#show(services);
  }

  /** The list as the event or an answer gives it. */
  take(services: ServiceView[]): void {
    this.#told += 1;
    this.#show(services);
  }

  /** Reports of services that are new here are fetched. */
  #show(services: ServiceView[]): void {
    const before = new Map(this.all.map((service) => [service.id, service]));
    this.all = services;
    for (const service of services) {
      const old = before.get(service.id);
      const signedIn = old?.caller?.subject !== service.caller?.subject || old?.credential !== service.credential;
      if (signedIn) void this.loadCatalogue(service.id);
    }
  }

  put(service: ServiceView): void {
    const others = this.all.filter((one) => one.id !== service.id);
    this.take([...others, service]);
  }

  get(id: string): ServiceView | undefined {
    return this.all.find((service) => service.id === id);
  }

  get practice(): ServiceView | undefined {
    return this.all.find((service) => service.practice);
  }

  async loadCatalogue(id: string): Promise<void> {
    try {
      this.catalogues.set(id, await this.#api.operations(id));
      this.failures.delete(id);
    } catch (thrown) {
      this.failures.set(id, asError(thrown));
    }
  }

  /** The report of an export, where its service's reports are known here. */
  operationOf(view: Pick<ExportView, 'service_id' | 'operation'>): OperationView | undefined {
    return this.catalogues.get(view.service_id)?.operations.find((one) => one.operation === view.operation);
  }
}
