// The services that endpoints may ask for, found by type, so that the route table need not know
// every room that an endpoint uses. The pipeline checks when it is built that nothing is missing.
//
// Threads: filled before the server starts, only read afterwards. The services themselves must
// allow calls from every event loop.
#pragma once

#include <boost/core/demangle.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace parley::api {

// Identifies a service type. A service that is asked for as const is found whether it was added as
// const or not.
class ServiceKey {
public:
    template <class T>
    static ServiceKey of()
    {
        return ServiceKey(&tag<std::remove_const_t<T>>, typeid(T), std::is_const_v<T>);
    }

    std::string name() const { return boost::core::demangle(type_->name()); }
    bool is_const() const { return is_const_; }
    bool same_type(const ServiceKey& other) const { return tag_ == other.tag_; }

private:
    // One address per type: cheaper to compare than type_info, which may compare names.
    template <class T>
    static inline constexpr char tag = 0;

    ServiceKey(const char* tag_of_type, const std::type_info& type, bool is_const)
        : tag_(tag_of_type), type_(&type), is_const_(is_const)
    {
    }

    const char* tag_;
    const std::type_info* type_;
    bool is_const_;
};

class Services {
public:
    // The service must outlive this object.
    template <class T>
    void add(T& service)
    {
        const auto key = ServiceKey::of<T>();
        if (has(ServiceKey::of<const T>()))
            throw std::logic_error("two services of type " + key.name());
        known_.push_back({key, const_cast<std::remove_const_t<T>*>(&service)});
    }

    bool has(const ServiceKey& key) const { return find(key) != nullptr; }

    template <class T>
    T& get() const
    {
        const auto key = ServiceKey::of<T>();
        void* service = find(key);
        if (!service) throw std::logic_error("no service of type " + key.name());
        return *static_cast<T*>(service);
    }

private:
    struct Known {
        ServiceKey key;
        void* service;
    };

    void* find(const ServiceKey& key) const
    {
        const auto found = std::ranges::find_if(known_, [&key](const Known& each) {
            return each.key.same_type(key) && (key.is_const() || !each.key.is_const());
        });
        return found == known_.end() ? nullptr : found->service;
    }

    std::vector<Known> known_;
};

}  // namespace parley::api
